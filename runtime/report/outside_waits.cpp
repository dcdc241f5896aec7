#include "report/outside_waits.hpp"

#include <array>
#include <atomic>

namespace heddle {
namespace {

struct Teller {
  std::atomic<Tell> tell{nullptr};  // last: who sees it sees the argument
  void* argument = nullptr;
};
constexpr int kMost = 16;
constinit std::array<Teller, kMost> g_tellers;
constinit std::atomic<int> g_taken{0};

using Told = std::multimap<const Task*, std::string>;

void say(void* report, const void* task, const char* what) {
  static_cast<Told*>(report)->emplace(static_cast<const Task*>(task), what);
}

}  // namespace

bool add_outside_waits(Tell tell, void* argument) {
  const int at = g_taken.fetch_add(1, std::memory_order_relaxed);
  if (at >= kMost) {
    g_taken.store(kMost, std::memory_order_relaxed);
    return false;
  }
  Teller& teller = g_tellers[static_cast<std::size_t>(at)];
  teller.argument = argument;
  teller.tell.store(tell, std::memory_order_release);  // pairs with the acquire in outside_waits()
  return true;
}

std::multimap<const Task*, std::string> outside_waits() {
  Told told;
  for (Teller& teller : g_tellers) {
    if (const Tell tell = teller.tell.load(std::memory_order_acquire)) tell(teller.argument, say, &told);
  }
  return told;
}

}  // namespace heddle
