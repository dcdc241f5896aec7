// How many teams a teams construct gets, and how many threads each (OpenMP 5.2, section 10.2).
#pragma once

namespace heddle {

/// 0: no num_teams clause. One team with all threads is then the best the host can do.
inline int league_size(int requested) {
  return requested > 0 ? requested : 1;
}

/// 0: no thread_limit clause. Returns 0 where nothing limits.
inline int league_thread_limit(int requested) {
  return requested > 0 ? requested : 0;
}

}  // namespace heddle
