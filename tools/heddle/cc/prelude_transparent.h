/* What a rewritten transparent task calls; put into preprocessed text, so without macros, in C90's words. The
 * names are weak: on other runtimes the task waits for its children at its end. */
extern void heddle_cc_next_task_weak_(const volatile void* address) __asm__("heddle_next_task_weak")
    __attribute__((weak, visibility("default")));
extern void heddle_cc_next_task_transparent_(void) __asm__("heddle_next_task_transparent")
    __attribute__((weak, visibility("default")));

static __inline__ __attribute__((unused)) void heddle_cc_weak_(const volatile void* address) {
  if (heddle_cc_next_task_weak_ != 0) heddle_cc_next_task_weak_(address);
}

static __inline__ __attribute__((unused)) int heddle_cc_is_here_(void) {
  return heddle_cc_next_task_weak_ != 0;
}

/* Elsewhere the task comes behind all its siblings. */
static __inline__ __attribute__((unused)) void heddle_cc_transparent_(void) {
  if (heddle_cc_next_task_transparent_ != 0) {
    heddle_cc_next_task_transparent_();
  } else {
#pragma omp taskwait
  }
}

/* The last of the task's body. */
static __inline__ __attribute__((unused)) int heddle_cc_end_transparent_(void) {
  if (heddle_cc_next_task_weak_ == 0) {
#pragma omp taskwait
  }
  return 0;
}
