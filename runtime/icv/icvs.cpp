#include "icv/icvs.hpp"

#include "icv/settings.hpp"

namespace heddle {

DeviceIcvs& device_icvs() {
  static DeviceIcvs host{settings().num_teams, settings().teams_thread_limit, settings().stack_bytes};
  return host;
}

}  // namespace heddle
