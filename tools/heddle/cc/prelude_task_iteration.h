/* How the iterations of a taskloop with task_iteration directives are cut into chunks, one for each task; put
 * into preprocessed text, so without macros, in C90's words. Source: OpenMP 6.0, sections 14.2.1 and 14.2.2.
 */
extern int heddle_cc_threads_(void) __asm__("omp_get_num_threads");

/* How many chunks of so many iterations or of so many more there are. */
static __inline__ long heddle_cc_chunks_of_(long count, long grainsize) {
  return grainsize < 1 || count < grainsize ? 1 : count / grainsize;
}

/* How many chunks, where their number is given; 0: it is not, and there are ten a thread. */
static __inline__ long heddle_cc_chunks_(long count, long num_tasks) {
  const long wanted = num_tasks > 0 ? num_tasks : 10L * heddle_cc_threads_();
  return count < 1 ? 1 : count < wanted ? count : wanted;
}

/* The first `larger` chunks have one iteration more than size. */
static __inline__ long heddle_cc_end_of_chunk_(long begin, long count, long size, long larger) {
  const long end = begin + size + (begin / (size + 1) < larger ? 1 : 0);
  return end < count ? end : count;
}

/* Addresses that a task depends on. */
struct heddle_cc_list_ {
  char** at;
  long count, room;
};

static __inline__ void heddle_cc_add_(struct heddle_cc_list_* list, const volatile void* address) {
  if (list->count == list->room) {
    list->room = 2 * list->room + 8;
    list->at = (char**)__builtin_realloc(list->at, (unsigned long)list->room * sizeof(char*));
    if (list->at == 0) __builtin_abort();
  }
  list->at[list->count++] = (char*)address;
}

/* The task has been created. */
static __inline__ void heddle_cc_free_(struct heddle_cc_list_* list) {
  __builtin_free(list->at);
  list->room = -1;
}
