/* What a rewritten 'replayable(e)' calls; put into preprocessed text, so without macros, in C90's words. The
 * name is weak: other runtimes record nothing. */
extern void heddle_cc_next_task_replayable_(int is_replayable) __asm__("heddle_next_task_replayable")
    __attribute__((weak, visibility("default")));

static __inline__ __attribute__((unused)) int heddle_cc_replayable_(int is_replayable) {
  if (heddle_cc_next_task_replayable_ != 0) heddle_cc_next_task_replayable_(is_replayable);
  return 1;
}
