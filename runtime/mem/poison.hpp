// Tells AddressSanitizer which memory of a cache nobody may touch, and where pointers may stand in it.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/lsan_interface.h>
#  define HEDDLE_POISON(block, bytes) ASAN_POISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_UNPOISON(block, bytes) ASAN_UNPOISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_BEGIN_ROOTS(pages, bytes) __lsan_register_root_region(pages, bytes)
#  define HEDDLE_END_ROOTS(pages, bytes) __lsan_unregister_root_region(pages, bytes)
#else
#  define HEDDLE_POISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_UNPOISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_BEGIN_ROOTS(pages, bytes) static_cast<void>(0)
#  define HEDDLE_END_ROOTS(pages, bytes) static_cast<void>(0)
#endif
