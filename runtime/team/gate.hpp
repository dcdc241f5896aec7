// Waiting inside a construct for another thread of the team, without executing tasks meanwhile: the construct
// is no task scheduling point.
#pragma once

#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {

/// Returns once done() holds. Requires: whoever makes it true calls team.gate.announce(key) afterwards.
template <class Done>
void wait_at_gate(Team& team, std::uint64_t key, Done&& done) {
  constexpr int kYieldsInACrowd = 50;  // measured with 8 threads on 2 processors: bench/sync, ordered
  Backoff backoff(kYieldsInACrowd);
  while (!done()) {
    if (backoff.spin()) continue;
    const std::uint32_t ticket = team.gate.prepare();
    if (done()) {
      team.gate.cancel();
      return;
    }
    team.gate.wait(ticket, key);
  }
}

}  // namespace heddle
