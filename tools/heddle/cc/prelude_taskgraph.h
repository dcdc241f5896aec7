/* What a rewritten taskgraph directive calls; put into preprocessed text, so without macros, in C90's words.
 * The names are weak: on other runtimes the region is executed each time, and waits at its end. */
struct heddle_cc_clauses_ {
  unsigned long graph_id;
  int graph_reset;
  int if_false;
  int captures_bytes;
  int nogroup;
};

extern int heddle_cc_begin_(void** construct, const struct heddle_cc_clauses_* clauses,
                            const void* frame) __asm__("heddle_taskgraph_begin")
    __attribute__((weak, visibility("default")));
extern void heddle_cc_end_(void) __asm__("heddle_taskgraph_end") __attribute__((weak, visibility("default")));

/* Always inlined: the address that it returns to is that of the region, for messages and tools. */
static __inline__ __attribute__((unused, always_inline)) int heddle_cc_enter_(void** construct,
                                                                              unsigned long graph_id,
                                                                              int graph_reset, int if_false,
                                                                              int captures_bytes, int nogroup,
                                                                              const void* frame) {
  struct heddle_cc_clauses_ clauses;
  clauses.graph_id = graph_id;
  clauses.graph_reset = graph_reset;
  clauses.if_false = if_false;
  clauses.captures_bytes = captures_bytes;
  clauses.nogroup = nogroup;
  return heddle_cc_begin_ != 0 ? heddle_cc_begin_(construct, &clauses, frame) : 1;
}

static __inline__ __attribute__((unused)) int heddle_cc_leave_(int nogroup) {
  if (heddle_cc_end_ != 0) {
    heddle_cc_end_();
  } else if (!nogroup) {
#pragma omp taskwait
  }
  return 0;
}

/* The compiler must not know whether the region has been executed when it is entered: a replay writes local
 * variables whose addresses only the region's code has taken. */
static __inline__ __attribute__((unused)) int heddle_cc_unknown_(int number) {
  __asm__ __volatile__("" : "+r"(number));
  return number;
}
