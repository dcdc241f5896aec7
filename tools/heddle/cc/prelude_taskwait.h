/* What a rewritten 'taskwait detach(event)' calls; put into preprocessed text, so without macros, in C90's
 * words. The name is weak: a program starts on other runtimes as well, and ends where it would wait. */
extern void heddle_cc_wait_(unsigned long event) __asm__("omp_taskwait_detach")
    __attribute__((weak, visibility("default")));
extern int heddle_cc_say_(int file, const char* format, ...) __asm__("dprintf");

static __inline__ void heddle_cc_taskwait_detach_(unsigned long event) {
  if (heddle_cc_wait_ == 0) {
    heddle_cc_say_(2, "taskwait detach: this OpenMP runtime has no omp_taskwait_detach; libheddle has\n");
    __builtin_abort();
  }
  heddle_cc_wait_(event);
}

/* An event as a number, and exactly one. */
static __inline__ unsigned long heddle_cc_event_of_(unsigned long event) {
  return event;
}
