#include "loop/ordered.hpp"

#include "team/gate.hpp"

namespace heddle {

void wait_for_turn(Member& me) {
  const std::atomic<std::uint64_t>& in_order = me.loop.shared->in_order;
  // seq_cst: pairs with the store in pass_turn(), which comes before its look for sleepers
  wait_at_gate(*me.team, me.loop.chunk.first,
               [&] { return in_order.load(std::memory_order_seq_cst) == me.loop.chunk.first; });
}

void pass_turn(Member& me) {
  wait_for_turn(me);
  me.loop.owes_turn = false;
  const std::uint64_t next = me.loop.chunk.first + me.loop.chunk.count;
  me.loop.shared->in_order.store(next, std::memory_order_seq_cst);
  me.team->gate.announce(next);
}

}  // namespace heddle
