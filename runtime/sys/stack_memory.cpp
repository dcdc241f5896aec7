#include "sys/stack_memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <vector>

namespace heddle {
namespace {

// Linux 6.13: a guard in the page table alone, which splits no mapping. Older headers do not know it.
constexpr int kGuardInstall = 102;

// Of this process, bytes; 0 where nobody says.
std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page_bytes();
}

bool leaves_room_for_others(std::size_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return address_space_in_use() + bytes <= limit.rlim_cur / 4 * 3;
}

}  // namespace

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void* reserve_stacks(std::size_t bytes) {
  if (!leaves_room_for_others(bytes)) return nullptr;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // A stack that touches a page is to cost a page.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  return memory;
}

bool guard_stack(void* bottom) {
  static std::atomic<bool> has_light_guards{true};
  if (has_light_guards.load(std::memory_order_relaxed)) {
    if (madvise(bottom, page_bytes(), kGuardInstall) == 0) return true;
    has_light_guards.store(false, std::memory_order_relaxed);
  }
  return mprotect(bottom, page_bytes(), PROT_NONE) == 0;
}

void forget_stack(void* bottom, std::size_t bytes) {
  const std::size_t page = page_bytes();
  madvise(static_cast<char*>(bottom) + page, bytes - page, MADV_DONTNEED);
}

StackUse stack_use(const void* bottom, std::size_t bytes) {
  const std::size_t page = page_bytes();
  std::vector<unsigned char> pages(bytes / page - 1);
  StackUse use;
  auto* const lowest = static_cast<const char*>(bottom) + page;
  if (mincore(const_cast<char*>(lowest), bytes - page, pages.data()) != 0) return use;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if ((pages[i] & 1) == 0) continue;
    use.resident_bytes += page;
    if (use.depth_bytes == 0) use.depth_bytes = (pages.size() - i) * page;
  }
  return use;
}

}  // namespace heddle
