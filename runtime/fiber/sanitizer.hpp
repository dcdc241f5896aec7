// What AddressSanitizer, ThreadSanitizer and valgrind must be told of stacks, and when a thread goes from one
// to another. Nothing without the sanitizers; a few instructions a stack where valgrind's header was there
// when this was built.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#  define HEDDLE_FIBERS_UNDER_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define HEDDLE_FIBERS_UNDER_ASAN 1
#  endif
#endif
#if defined(__SANITIZE_THREAD__)
#  define HEDDLE_FIBERS_UNDER_TSAN 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define HEDDLE_FIBERS_UNDER_TSAN 1
#  endif
#endif

#if defined(__has_include)
#  if __has_include(<valgrind/valgrind.h>)
#    define HEDDLE_KNOWS_VALGRIND 1
#    include <valgrind/valgrind.h>
#  endif
#endif

#ifdef HEDDLE_FIBERS_UNDER_ASAN
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif
#ifdef HEDDLE_FIBERS_UNDER_TSAN
#  include <sanitizer/tsan_interface.h>
#endif

namespace heddle {

/// The stack of a context, as the sanitizers have to know it.
struct StackExtent {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_frames = nullptr;  // AddressSanitizer's frames that it keeps apart
  void* fiber = nullptr;        // ThreadSanitizer's
};

/// [bottom, bottom + bytes) is a stack from now on, for good. Without it valgrind takes a switch of stacks
/// for a frame of their distance, and ends with an internal error.
inline void sanitizer_has_stack([[maybe_unused]] void* bottom, [[maybe_unused]] std::size_t bytes) {
#ifdef HEDDLE_KNOWS_VALGRIND
  static_cast<void>(VALGRIND_STACK_REGISTER(bottom, static_cast<char*>(bottom) + bytes));
#endif
}

inline void sanitizer_made([[maybe_unused]] StackExtent& context) {
#ifdef HEDDLE_FIBERS_UNDER_TSAN
  context.fiber = __tsan_create_fiber(0);
#endif
}

inline void sanitizer_forgotten([[maybe_unused]] StackExtent& context) {
#ifdef HEDDLE_FIBERS_UNDER_ASAN
  __asan_unpoison_memory_region(context.bottom, context.bytes);  // its frames are dropped, not left
#endif
#ifdef HEDDLE_FIBERS_UNDER_TSAN
  if (context.fiber != nullptr) __tsan_destroy_fiber(context.fiber);
#endif
}

/// The last thing before the switch.
inline void sanitizer_leaving([[maybe_unused]] StackExtent& from, [[maybe_unused]] StackExtent& to) {
#ifdef HEDDLE_FIBERS_UNDER_ASAN
  __sanitizer_start_switch_fiber(&from.fake_frames, to.bottom, to.bytes);
#endif
#ifdef HEDDLE_FIBERS_UNDER_TSAN
  from.fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

/// The same for good. A macro, since no call may be counted between the two stacks.
#ifdef HEDDLE_FIBERS_UNDER_TSAN
#  define HEDDLE_SANITIZER_ENDING(to) __tsan_switch_to_fiber((to).fiber, 0)
#elif defined(HEDDLE_FIBERS_UNDER_ASAN)
#  define HEDDLE_SANITIZER_ENDING(to) __sanitizer_start_switch_fiber(nullptr, (to).bottom, (to).bytes)
#else
#  define HEDDLE_SANITIZER_ENDING(to) static_cast<void>(0)
#endif

/// The first thing after it.
inline void sanitizer_end_switch([[maybe_unused]] StackExtent& self, [[maybe_unused]] StackExtent& left) {
#ifdef HEDDLE_FIBERS_UNDER_ASAN
  __sanitizer_finish_switch_fiber(self.fake_frames, &left.bottom, &left.bytes);
#endif
}

}  // namespace heddle
