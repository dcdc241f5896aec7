// Fields of an affinity format, with and without width, by letter and by name; truncation; what is in force
// (OpenMP 5.2, sections 18.3.8 to 18.3.11 and 21.2.5).
#include <omp.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void expect(const char* format, const char* text) {
  char buffer[256];
  const size_t length = omp_capture_affinity(buffer, sizeof buffer, format);
  CHECK(length == strlen(text));
  CHECK(strcmp(buffer, text) == 0);
}

int main(void) {
  expect("%n of %N", "0 of 1");
  expect("%{thread_num} of %{num_threads}", "0 of 1");
  expect("[%4n][%.4n][%0.4n]", "[0   ][   0][0000]");
  expect("[%12{nesting_level}][%.3L]", "[0           ][  0]");
  expect("%t/%T %a%%", "0/1 -1%");
  expect("[%0.7a][%.7a][%07a]", "[-000001][     -1][-1     ]");
  char host[256], expected[300];
  CHECK(gethostname(host, sizeof host) == 0);
  expect("%H", host);
  snprintf(expected, sizeof expected, "pid %d", (int)getpid());
  expect("pid %P", expected);

  omp_set_affinity_format("thread %n level %L");
  char buffer[64];
  CHECK(omp_get_affinity_format(buffer, sizeof buffer) == 18);
  CHECK(strcmp(buffer, "thread %n level %L") == 0);
  CHECK(omp_get_affinity_format(buffer, 7) == 18);
  CHECK(strcmp(buffer, "thread") == 0);
  CHECK(omp_capture_affinity(buffer, 9, NULL) == 16);
  CHECK(strcmp(buffer, "thread 0") == 0);
#pragma omp parallel num_threads(3)
  {
    char mine[64], wanted[64];
    snprintf(wanted, sizeof wanted, "thread %d level 1", omp_get_thread_num());
    CHECK(omp_capture_affinity(mine, sizeof mine, NULL) == strlen(wanted));
    CHECK(strcmp(mine, wanted) == 0);
  }
  return 0;
}
