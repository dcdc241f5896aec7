// OMP_TARGET_OFFLOAD=mandatory ends the program at the first construct that wants a device, with one line and
// status 2; what names the host goes on. OpenMP 5.2, 21.2.8. Clang without devices leaves no such construct.
#include <omp.h>

#include "rerun.h"

int main(int argc, char** argv) {
  int value = 0;
  if (argc > 1) {
#pragma omp target if (0) map(tofrom : value)
    value++;
    if (argv[1][0] == 'd') {
#pragma omp target map(tofrom : value)
      value++;
    } else {
      omp_set_default_device(omp_get_initial_device());
#pragma omp target map(tofrom : value)
      value++;
    }
    printf("done %d\n", value);
    return 0;
  }
#ifndef __clang__
  rerun_result* result = rerun("OMP_TARGET_OFFLOAD=mandatory", "default");
  CHECK(result->status == 2);
  CHECK(strstr(result->output, "OMP_TARGET_OFFLOAD=mandatory") != NULL);
  CHECK(strchr(result->output, '\n') == result->output + strlen(result->output) - 1);
#endif
  CHECK(strcmp(rerun("OMP_TARGET_OFFLOAD=mandatory", "host")->output, "done 2\n") == 0);
  CHECK(strcmp(rerun("OMP_TARGET_OFFLOAD=disabled", "default")->output, "done 2\n") == 0);
  CHECK(strcmp(rerun("OMP_TARGET_OFFLOAD=' Default '", "default")->output, "done 2\n") == 0);
  return 0;
}
