#include "loop/ordered.hpp"

#include "team/gate.hpp"
#include "team/team.hpp"

namespace heddle {

void ordered_begin(Member& me) {
  if (me.loop.shared == nullptr || !me.loop.owes_turn) return;
  const std::atomic<std::uint64_t>& in_order = me.loop.shared->in_order;
  // seq_cst: pairs with the store in pass_turn(), which comes before its look for sleepers
  wait_at_gate(*me.team, me.loop.chunk.first,
               [&] { return in_order.load(std::memory_order_seq_cst) == me.loop.chunk.first; });
}

void ordered_end(Member& me) {
  if (me.loop.shared != nullptr && me.loop.owes_turn && me.loop.chunk.count == 1) pass_turn(me);
}

void pass_turn(Member& me) {
  ordered_begin(me);
  me.loop.owes_turn = false;
  const std::uint64_t next = me.loop.chunk.first + me.loop.chunk.count;
  me.loop.shared->in_order.store(next, std::memory_order_seq_cst);
  me.team->gate.announce(next);
}

}  // namespace heddle
