#include "sys/memory.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <fstream>
#include <vector>

#include "base/relaxed_atomic.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostNodes = 1024;
constexpr std::size_t kBitsInWord = sizeof(unsigned long) * CHAR_BIT;
using NodeMask = std::array<unsigned long, kMostNodes / kBitsInWord>;

std::size_t round_to_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes > SIZE_MAX - page ? 0 : (bytes + page - 1) / page * page;
}

/// The nodes this process may use; empty where the system does not say.
NodeMask allowed_nodes() {
  NodeMask mask{};
  if (syscall(SYS_get_mempolicy, nullptr, mask.data(), kMostNodes, nullptr, MPOL_F_MEMS_ALLOWED) != 0)
    mask = {};
  return mask;
}

std::vector<std::size_t> numbers_of(const NodeMask& mask) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < kMostNodes; ++i)
    if ((mask[i / kBitsInWord] >> (i % kBitsInWord) & 1) != 0) nodes.push_back(i);
  return nodes;
}

void bind_pages(char* pages, std::size_t bytes, int policy, const NodeMask& mask) {
  syscall(SYS_mbind, pages, bytes, policy, mask.data(), kMostNodes, 0);
}

void place(char* pages, std::size_t bytes, PagePlacement placement) {
  const NodeMask allowed = allowed_nodes();
  const std::vector<std::size_t> nodes = numbers_of(allowed);
  if (nodes.size() < 2) return;
  if (placement == PagePlacement::kInterleaved) {
    bind_pages(pages, bytes, MPOL_INTERLEAVE, allowed);
    return;
  }
  const std::size_t block = round_to_pages((bytes + nodes.size() - 1) / nodes.size());
  for (std::size_t i = 0; i < nodes.size() && i * block < bytes; ++i) {
    NodeMask one{};
    one[nodes[i] / kBitsInWord] = 1ul << (nodes[i] % kBitsInWord);
    const std::size_t rest = bytes - i * block;
    bind_pages(pages + i * block, rest < block ? rest : block, MPOL_PREFERRED, one);
  }
}

}  // namespace

void* map_pages(std::size_t bytes, PagePlacement placement, bool is_locked) {
  const std::size_t rounded = round_to_pages(bytes);
  if (rounded == 0) return nullptr;
  void* const pages = mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (placement != PagePlacement::kFirstTouch) place(static_cast<char*>(pages), rounded, placement);
  if (is_locked && mlock(pages, rounded) != 0) {
    munmap(pages, rounded);
    return nullptr;
  }
  return pages;
}

void populate_pages(void* pages, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const int error = errno;  // of the program, in whose constructs this may be called
  if (madvise(pages, round_to_pages(bytes), MADV_POPULATE_WRITE) != 0) errno = error;
#else
  static_cast<void>(pages), static_cast<void>(bytes);
#endif
}

void unmap_pages(void* pages, std::size_t bytes) {
  munmap(pages, round_to_pages(bytes));
}

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
  static RelaxedAtomic<bool> has_light_guards{true};
  if (has_light_guards.load()) {
    if (madvise(bottom, page_bytes(), kGuardInstall) == 0) return true;
    has_light_guards.store(false);
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
