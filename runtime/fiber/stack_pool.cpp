#include "fiber/stack_pool.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "fiber/sanitizer.hpp"
#include "sync/process_lock.hpp"
#include "sys/fatal.hpp"
#include "sys/memory.hpp"

namespace heddle {
namespace {

// One system call for so many: address space costs nothing, calls do.
constexpr std::size_t kStacksInReserve = 64;
constexpr int kRefusalsInARow = 1000;

struct Store {
  ProcessLock lock;
  std::size_t bytes = 0;
  ContextEntry entry = nullptr;
  char* reserve = nullptr;  // of which `left` stacks are not made yet
  std::size_t left = 0;
  int refusals_to_come = 0;  // before the system is asked again
  FiberStack* cold = nullptr;
  Published<FiberStack*> newest{nullptr};
  int made = 0;
  bool counts_lives = false;
  StackReport ended;  // lives alone
};
Store g_store;

void count_life(StackReport& report, const FiberStack& stack) {
  const StackUse use = stack_use(stack.bottom, stack.bytes);
  if (use.resident_bytes == 0) return;  // cold
  report.resident_bytes += use.resident_bytes;
  report.deepest_bytes = std::max(report.deepest_bytes, use.depth_bytes);
  ++report.lives;
  report.bytes_of_lives += use.resident_bytes;
}

bool has_reserve() {
  if (g_store.left != 0) return true;
  // A thread that asks in vain asks again and again, and what was refused once is seldom there soon.
  if (g_store.refusals_to_come > 0 && --g_store.refusals_to_come > 0) return false;
  for (std::size_t count = kStacksInReserve; count != 0; count /= 2) {
    g_store.reserve = static_cast<char*>(reserve_stacks(count * g_store.bytes));
    if (g_store.reserve == nullptr) continue;
    g_store.left = count;
    return true;
  }
  g_store.refusals_to_come = kRefusalsInARow;
  return false;
}

FiberStack* make_stack() {
  if (!has_reserve()) return nullptr;
  auto* const stack = new FiberStack;
  stack->bottom = std::exchange(g_store.reserve, g_store.reserve + g_store.bytes);
  stack->bytes = g_store.bytes;
  // A context begins at its stack's very end, which is the next one's guard page: no stack's to valgrind.
  const std::size_t page = page_bytes();
  sanitizer_has_stack(static_cast<char*>(stack->bottom) + page, stack->bytes - page);
  --g_store.left;
  if (static bool has_warned = false; !guard_stack(stack->bottom) && !std::exchange(has_warned, true))
    warn(
        "the system has no more guard pages: from the %dth stack on an overflow goes unnoticed; "
        "raise vm.max_map_count to have more",
        g_store.made + 1);
  stack->older = g_store.newest;
  g_store.newest = stack;
  ++g_store.made;
  return stack;
}

}  // namespace

void set_stacks(std::size_t bytes, ContextEntry entry) {
  const std::lock_guard guard(g_store.lock);
  if (g_store.entry != nullptr) return;
  const std::size_t page = page_bytes();
  constexpr std::size_t kLeastPages = 5;  // one of them the guard
  g_store.bytes = std::max((bytes + page - 1) / page, kLeastPages) * page;
  g_store.entry = entry;
}

FiberStack* StackPool::take_cold() {
  const std::lock_guard guard(g_store.lock);
  FiberStack* stack = g_store.cold;
  if (stack != nullptr)
    g_store.cold = stack->next;
  else
    stack = make_stack();
  if (stack == nullptr) return nullptr;
  const std::size_t page = page_bytes();
  make_context(stack->base, static_cast<char*>(stack->bottom) + page, stack->bytes - page, g_store.entry);
  return stack;
}

void StackPool::cool(FiberStack& stack) {
  forget_context(stack.base);
  if (g_store.counts_lives) [[unlikely]] {
    const std::lock_guard guard(g_store.lock);
    count_life(g_store.ended, stack);
  }
  forget_stack(stack.bottom, stack.bytes);
  const std::lock_guard guard(g_store.lock);
  stack.next = g_store.cold;
  g_store.cold = &stack;
}

void StackPool::clear() {
  while (FiberStack* const stack = std::exchange(warm_, warm_ != nullptr ? warm_->next : nullptr))
    cool(*stack);
  count_ = 0;
}

void count_lives_of_stacks() {
  g_store.counts_lives = true;
}

StackReport report_stacks() {
  const std::lock_guard guard(g_store.lock);
  StackReport report = g_store.ended;
  report.resident_bytes = 0;
  report.made = g_store.made;
  report.stack_bytes = g_store.bytes;
  for (FiberStack* stack = newest_stack(); stack != nullptr; stack = stack->older) count_life(report, *stack);
  return report;
}

FiberStack* newest_stack() {
  return g_store.newest.seen();
}

}  // namespace heddle
