// Runs this same program once more with other environment variables, and collects its status and output.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_RERUN_H_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_RERUN_H_

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

typedef struct {
  int status;          // exit status, or -1 after a signal
  char output[65536];  // standard output and standard error together
} rerun_result;

// `variables` as in a shell: "OMP_X=1 OMP_Y='a b'". The second run sees `mode` as its only argument.
static rerun_result* rerun(const char* variables, const char* mode) {
  static rerun_result result;
  char self[4096] = {0}, command[8192];
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  snprintf(command, sizeof command, "%s '%s' %s 2>&1", variables, self, mode);
  FILE* pipe = popen(command, "r");
  CHECK(pipe != NULL);
  const size_t length = fread(result.output, 1, sizeof result.output - 1, pipe);
  result.output[length] = 0;
  const int state = pclose(pipe);
  result.status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return &result;
}

#endif
