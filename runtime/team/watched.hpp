// Whether the watchdog is on (HEDDLE_WATCHDOG, report/watchdog.hpp): while it is, whoever waits leaves word
// of where. Without it nobody pays for that.
#pragma once

#include <atomic>

namespace heddle {

extern constinit std::atomic<bool> g_has_watchdog;

inline bool has_watchdog() {
  return g_has_watchdog.load(std::memory_order_relaxed);
}

}  // namespace heddle
