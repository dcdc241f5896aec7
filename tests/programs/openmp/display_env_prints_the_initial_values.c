// omp_display_env prints the values the program started with, between the standard's two lines.
// OpenMP 5.2, 18.15 and 21.7.
#include <omp.h>

#include "rerun.h"

// As the compiler's own runtime writes it.
#ifdef __clang__
#  define BEGINS "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP='"
#  define IS "='"
#else
#  define BEGINS "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '"
#  define IS " = '"
#endif

int main(int argc, char** argv) {
  if (argc > 1) {
    if (argv[1][0] == 'n') {
      int threads = 0;
#pragma omp parallel reduction(+ : threads)
      threads++;
      return threads != 7;
    }
    omp_set_num_threads(2);
    omp_display_env(argv[1][0] == 'v');
    return 0;
  }
  const char* variables = "OMP_NUM_THREADS=7 OMP_SCHEDULE=guided,3";
  rerun_result* result = rerun(variables, "plain");
  CHECK(result->status == 0);
  CHECK(strncmp(result->output, BEGINS, strlen(BEGINS)) == 0);
  CHECK(strstr(result->output, "\n  [host] OMP_NUM_THREADS" IS "7'\n") != NULL);
  CHECK(strstr(result->output, "\n  [host] OMP_SCHEDULE" IS "GUIDED,3'\n") != NULL);
  CHECK(strstr(result->output, "HEDDLE_") == NULL);
  CHECK(strstr(result->output, "\nOPENMP DISPLAY ENVIRONMENT END\n") != NULL);
  CHECK(strstr(rerun(variables, "verbose")->output, "HEDDLE_SPIN_US") != NULL);
  CHECK(strstr(rerun("OMP_NUM_THREADS=7 OMP_DISPLAY_ENV=true", "none")->output, "OMP_NUM_THREADS" IS "7'") !=
        NULL);
  CHECK(strlen(rerun("OMP_NUM_THREADS=7 OMP_DISPLAY_ENV=false", "none")->output) == 0);
  return 0;
}
