// Tells AddressSanitizer which memory of a cache nobody may touch.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#  define HEDDLE_POISON(block, bytes) ASAN_POISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_UNPOISON(block, bytes) ASAN_UNPOISON_MEMORY_REGION(block, bytes)
#else
#  define HEDDLE_POISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_UNPOISON(block, bytes) static_cast<void>(0)
#endif
