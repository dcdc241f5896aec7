// With no other device, mapped data is the original, also under its device address. OpenMP 5.2, 13.5 target
// data.
#include "check.h"

int main(void) {
  int array[16], *pointer = array, *address = 0, *of_pointer = 0;
  for (int i = 0; i < 16; i++) array[i] = i;
#pragma omp target data map(tofrom : array[4 : 8]) use_device_addr(array)
  address = array;
  CHECK(address == array);
#pragma omp target data map(tofrom : pointer[0 : 16]) use_device_ptr(pointer)
  of_pointer = pointer;
  CHECK(of_pointer == array);
#pragma omp target is_device_ptr(pointer)
  pointer[0] = 17;
#pragma omp target map(tofrom : pointer[1 : 3])
  for (int i = 1; i < 4; i++) pointer[i] *= 2;
#pragma omp target if (0) map(tofrom : array)
  array[4]++;
#pragma omp target device(3) map(tofrom : array)
  array[5]++;
  CHECK(array[0] == 17 && array[1] == 2 && array[3] == 6 && array[4] == 5 && array[5] == 6 && array[6] == 6);
  return 0;
}
