// Where the system refuses threads a region gets fewer, the program goes on, and one line says so once.
#include <omp.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "rerun.h"

enum { kNobody = 65534 };

static void be_refused(void) {
  // The limit on a user's processes does not bind root.
  if (geteuid() == 0) CHECK(setgid(kNobody) == 0 && setuid(kNobody) == 0);
  const struct rlimit none = {0, 0};
  CHECK(setrlimit(RLIMIT_NPROC, &none) == 0);
  for (int repeat = 0; repeat < 10; ++repeat) {
    int met = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
      ++met;
      CHECK(omp_get_num_threads() == 1);
    }
    CHECK(met == 1);
    int sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
    CHECK(sum == 4950);
  }
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    be_refused();
    return 0;
  }
  // Its search for leaks wants a thread of its own.
  const rerun_result* result = rerun("ASAN_OPTIONS=detect_leaks=0", "refused");
  if (result->status != 0) printf("%s", result->output);
  CHECK(result->status == 0);
  const char* line = strstr(result->output, "heddle: the system gives no more than 1 threads");
  CHECK(line != NULL);
  CHECK(strstr(line + 1, "heddle: the system gives") == NULL);
  return 0;
}
