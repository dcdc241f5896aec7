! target and its data constructs from Fortran. OpenMP 5.2, 13.5-13.8. flang 19 reads no firstprivate there.
program fortran_target_regions_run_on_the_host
  use omp_lib
  implicit none
  integer :: values(100), i, offset, device
  logical :: is_host

  values = [(i, i = 1, 100)]
  offset = 5
  is_host = .false.
  device = -1
#ifdef __GFORTRAN__
  !$omp target data map(tofrom : values)
  !$omp target firstprivate(offset) map(tofrom : values, is_host, device)
  do i = 1, 100
    values(i) = values(i) + offset
  end do
  offset = 99
  is_host = omp_is_initial_device()
  device = omp_get_device_num()
  !$omp end target
  !$omp target update from(values)
  !$omp end target data
  !$omp target enter data map(to : values)
  !$omp target nowait map(tofrom : values) depend(inout : values)
  values(1) = -1
  !$omp end target
  !$omp target exit data map(from : values) depend(in : values)
  !$omp taskwait
  if (offset /= 5 .or. .not. is_host .or. device /= omp_get_initial_device()) error stop 1
  if (values(1) /= -1 .or. values(2) /= 7 .or. values(100) /= 105) error stop 2
#endif
end program
