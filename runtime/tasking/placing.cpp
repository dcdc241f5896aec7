#include "tasking/placing.hpp"

#include "tasking/policy_log.hpp"

namespace heddle {

Where place_under_reasons(Member& me, const void* construct, bool has_dependences) {
  const std::uint32_t reasons = reasons_of(me);
  Decision decision = me.policy.place_under(reasons & ~bit(Reason::kTool), Creator(me), has_dependences);
  // Executed at its creation it still is a task of its own.
  if ((reasons & bit(Reason::kTool)) != 0 && decision.where == Where::kInline)
    decision.where = Where::kIncluded;
  if ((reasons & bit(Reason::kTool)) != 0 && decision.where == Where::kOwnStack)
    decision.where = Where::kQueue;
  if ((reasons & bit(Reason::kLogged)) != 0) note_decision(construct, decision.why);
  return decision.where;
}

Where place_ready(Member& me, const Task& task) {
  const std::uint32_t reasons = reasons_of(me);
  const Decision decision = SpawnPolicy<TickClock>::place_ready(reasons, Creator(me));
  if ((reasons & bit(Reason::kLogged)) != 0) note_decision(task, decision.why);
  return decision.where;
}

}  // namespace heddle
