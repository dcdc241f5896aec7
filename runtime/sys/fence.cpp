#include "sys/fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle {
namespace {

// Children of fork() inherit the registration with the address space.
bool register_process() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace

const bool g_fences_are_asymmetric = register_process();

void heavy_fence() {
  full_fence();
  if (g_fences_are_asymmetric) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

}  // namespace heddle
