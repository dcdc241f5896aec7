// IS_SANITIZED: whether AddressSanitizer or ThreadSanitizer watches, under which stacks cost more and guards
// behave otherwise.
#ifndef HEDDLE_TESTS_RUNTIME_SUPPORT_SANITIZED_H_
#define HEDDLE_TESTS_RUNTIME_SUPPORT_SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define IS_SANITIZED 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define IS_SANITIZED 1
#  endif
#endif

#endif
