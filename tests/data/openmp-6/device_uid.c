// omp_get_uid_from_device() (6.0).
#include <omp.h>

int main(void) {
  const char* uid = omp_get_uid_from_device(omp_get_initial_device());
  if (uid == (const char*)0) return 1;
  const int device = omp_get_device_from_uid(uid);  // the host has two numbers
  return device != omp_get_initial_device() && device != omp_initial_device;
}
