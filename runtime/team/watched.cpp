#include "team/watched.hpp"

namespace heddle {

constinit std::atomic<bool> g_has_watchdog{false};

}  // namespace heddle
