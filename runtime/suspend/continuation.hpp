// Continuation events: what a task waits for with taskwait detach.
//
// Words: the *handle* of an event is what the program has: where it lies, and which of its lives is meant.
// Invariant: the memory of an event stays an event for good, so a handle that comes too late is told from one
// that is meant.
//
// Source: Pereira et al., IWOMP 2023, section 3.1. There a task has one allow-continuation event; here each
// call makes one, so that a library may wait in a task that has an event of its own under way.
#pragma once

#include <cstdint>

#include "base/cache_line.hpp"
#include "fiber/event_word.hpp"
#include "suspend/suspension.hpp"

namespace heddle {

struct alignas(kCacheLine) ContinuationEvent {
  /// The lowest bits tell it from a Task and from a GraphEvent.
  void* handle() {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(this) |
                                   std::uintptr_t{word.life()} << kLifeShift | kMark);
  }
  static bool is_handle(void* handle) { return (reinterpret_cast<std::uintptr_t>(handle) & kMarks) == kMark; }
  static ContinuationEvent& of_handle(void* handle) {
    constexpr std::uintptr_t kAddress = (std::uintptr_t{1} << kLifeShift) - 1;
    return *reinterpret_cast<ContinuationEvent*>(reinterpret_cast<std::uintptr_t>(handle) & kAddress &
                                                 ~kMarks);
  }
  static std::uint16_t life_of(void* handle) {
    return static_cast<std::uint16_t>(reinterpret_cast<std::uintptr_t>(handle) >> kLifeShift);
  }

  EventWord<Suspension> word;
  const Task* task = nullptr;     // that asked for it; for reports
  const void* made_at = nullptr;  // the code that did
  ContinuationEvent* next = nullptr;

 private:
  static constexpr std::uintptr_t kMarks = 3, kMark = 2;
  static constexpr int kLifeShift = 48;
};

/// A fresh event of the current task. made_at: the code that asks for it.
/// Cost: a few instructions.
void* new_continuation_event(Member& me, const void* made_at);

/// Suspends the current task until the event is fulfilled; then its handle is of no use any more.
/// Errors: ends the program with a line where the handle is none of new_continuation_event(), where it was
/// waited for already, and where another task waits for it.
void wait_for_continuation(Member& me, void* handle);

/// Errors: ends the program with a line where it is fulfilled already. Threads: any.
void fulfill_continuation(void* handle);

}  // namespace heddle
