// error at(execution): a warning goes on, an error ends the program with status 1 and runs atexit functions.
// OpenMP 5.2, 8.5 error.
#include <stdlib.h>

#include "rerun.h"

#if _OPENMP < 202011 && defined(__clang__)
int main(void) {  // Clang reads the directive as of OpenMP 5.1 only
  return 0;
}
#else
#  ifdef __clang__  // as LLVM's runtime ends the sentence
#    define END "."
#  else
#    define END ""
#  endif

static void at_end(void) {
  puts("ended");
  fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    atexit(at_end);
    if (argv[1][0] == 'n') {
#  pragma omp error at(execution) severity(warning)
    }
#  pragma omp error at(execution) severity(warning) message("careful")
    if (argv[1][0] == 's') {
#  pragma omp error at(execution) severity(fatal) message("too far")
    }
    puts("went on");
    return 0;
  }
  rerun_result* result = rerun("", "warn");
  CHECK(result->status == 0 && strstr(result->output, ": careful" END "\n") != NULL);
  CHECK(strstr(result->output, "went on\nended\n") != NULL);
  result = rerun("", "stop");
  CHECK(result->status == 1 && strstr(result->output, ": too far" END "\n") != NULL);
  CHECK(strstr(result->output, "went on") == NULL && strstr(result->output, "ended\n") != NULL);
  CHECK(rerun("", "no message")->status == 0);
  return 0;
}
#endif
