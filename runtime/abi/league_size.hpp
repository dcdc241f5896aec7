// How many teams a teams construct gets, and how many threads each (OpenMP 5.2, section 10.2).
#pragma once

#include "icv/icvs.hpp"

namespace heddle {

/// `requested`: the num_teams clause, 0 where there is none. otherwise: where nobody has chosen; one team
/// with all threads is the best the host can do.
inline int league_size(int requested, int otherwise = 1) {
  if (requested > 0) return requested;
  const int chosen = device_icvs().num_teams.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : otherwise;
}

/// `requested`: the thread_limit clause, 0 where there is none. Returns 0 where nothing limits.
inline int league_thread_limit(int requested) {
  return requested > 0 ? requested : device_icvs().teams_thread_limit.load(std::memory_order_relaxed);
}

}  // namespace heddle
