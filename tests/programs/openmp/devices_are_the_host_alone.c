// No device but the host; the default device belongs to the task. OpenMP 5.2, 18.7 device information
// and 2.4.
#include <omp.h>

#include "check.h"

int main(void) {
  CHECK(omp_is_initial_device());
  CHECK(omp_get_num_devices() == 0);
  CHECK(omp_get_initial_device() == omp_get_num_devices());
  CHECK(omp_get_device_num() == omp_get_initial_device());
  CHECK(omp_get_default_device() == 0);
  omp_set_default_device(2);
#pragma omp parallel num_threads(3)
  {
    CHECK(omp_get_default_device() == 2);
    omp_set_default_device(10 + omp_get_thread_num());
#pragma omp task
    {
      CHECK(omp_get_default_device() >= 10);
      omp_set_default_device(4);
    }
#pragma omp taskwait
    CHECK(omp_get_default_device() == 10 + omp_get_thread_num());
  }
  CHECK(omp_get_default_device() == 2);
  int device = -1;
#pragma omp target map(from : device)
  device = omp_get_device_num();
  CHECK(device == omp_get_initial_device());
  return 0;
}
