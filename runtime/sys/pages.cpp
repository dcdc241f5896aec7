#include "sys/pages.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <vector>

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

void bind(char* pages, std::size_t bytes, int policy, const NodeMask& mask) {
  syscall(SYS_mbind, pages, bytes, policy, mask.data(), kMostNodes, 0);
}

void place(char* pages, std::size_t bytes, PagePlacement placement) {
  const NodeMask allowed = allowed_nodes();
  const std::vector<std::size_t> nodes = numbers_of(allowed);
  if (nodes.size() < 2) return;
  if (placement == PagePlacement::kInterleaved) {
    bind(pages, bytes, MPOL_INTERLEAVE, allowed);
    return;
  }
  const std::size_t block = round_to_pages((bytes + nodes.size() - 1) / nodes.size());
  for (std::size_t i = 0; i < nodes.size() && i * block < bytes; ++i) {
    NodeMask one{};
    one[nodes[i] / kBitsInWord] = 1ul << (nodes[i] % kBitsInWord);
    const std::size_t rest = bytes - i * block;
    bind(pages + i * block, rest < block ? rest : block, MPOL_PREFERRED, one);
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

}  // namespace heddle
