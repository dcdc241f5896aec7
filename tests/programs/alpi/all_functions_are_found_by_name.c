// The 22 functions of ALPI 1.2 are there for who asks the dynamic linker, and belong to one library.
#include "alpi_by_name.h"

#include <omp.h>

static const char* library_of(const char* name) {
  Dl_info info;
  CHECK(dladdr(dlsym(RTLD_DEFAULT, name), &info) != 0);
  return info.dli_fname;
}

int main(void) {
  find_alpi();
  int functions = 0;
#define COUNT(result, name, parameters)                                \
  CHECK(strcmp(library_of(#name), library_of("alpi_task_self")) == 0); \
  ++functions;
  ALPI_FUNCTIONS(COUNT)
  CHECK(functions == 22);
  CHECK(strcmp(library_of("alpi_task_self"), library_of("omp_get_thread_num")) == 0);
  CHECK(omp_get_max_threads() > 0);
}
