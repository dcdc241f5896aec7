// The ordered construct, and doacross loop nests: Clang's entry points.
#include <cstdint>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/trip_count.hpp"
#include "loop/doacross.hpp"
#include "loop/workshare.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// One loop of the nest: inclusive bounds and step, as the program has them.
struct Dimension {
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t step;
};

}  // namespace

HEDDLE_EXPORT void __kmpc_ordered(Ident*, Gtid) {
  Member& me = this_member();
  take_and_tell(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE(), [&me] { ordered_begin(me); });
}
HEDDLE_EXPORT void __kmpc_end_ordered(Ident*, Gtid) {
  Member& me = this_member();
  ordered_end(me);
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_doacross_init(Ident*, Gtid, std::int32_t loops, const Dimension* dimensions) {
  std::vector<DoacrossLoop> nest;
  for (std::int32_t i = 0; i < loops; ++i)
    nest.push_back({dimensions[i].lower, dimensions[i].step,
                    trip_count(dimensions[i].lower, dimensions[i].upper, dimensions[i].step)});
  doacross_enter(this_member(), nest);
}
HEDDLE_EXPORT void __kmpc_doacross_wait(Ident*, Gtid, const std::int64_t* iteration) {
  Member& me = this_member();
  doacross_wait(me, iteration);
  if (has_tool() && doacross_has(me, iteration)) [[unlikely]]
    tell_iteration(me, iteration, doacross_loops(me), ompt_dependence_type_sink);
}
HEDDLE_EXPORT void __kmpc_doacross_post(Ident*, Gtid, const std::int64_t* iteration) {
  Member& me = this_member();
  if (has_tool()) [[unlikely]]
    tell_iteration(me, iteration, doacross_loops(me), ompt_dependence_type_source);
  doacross_post(me, iteration);
}
HEDDLE_EXPORT void __kmpc_doacross_fini(Ident*, Gtid) {
  doacross_leave(this_member());
}
