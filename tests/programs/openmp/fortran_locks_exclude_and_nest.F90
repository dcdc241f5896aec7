! Locks in variables of Fortran's lock kinds, which lie next to other data. OpenMP 5.2, 18.9.
program fortran_locks_exclude_and_nest
  use omp_lib
  implicit none
  type guarded
    integer(omp_lock_kind) :: lock
    integer :: behind = 1234567
    integer(omp_nest_lock_kind) :: nest_lock
    integer(8) :: behind_nest = 7654321
  end type
  type(guarded) :: data
  integer :: i, sum, nested

  call omp_init_lock(data%lock)
  call omp_init_nest_lock(data%nest_lock)
  sum = 0
  nested = 0
  !$omp parallel do num_threads(4)
  do i = 1, 1000
    call omp_set_lock(data%lock)
    sum = sum + 1
    call omp_unset_lock(data%lock)
    call omp_set_nest_lock(data%nest_lock)
    call again
    call omp_unset_nest_lock(data%nest_lock)
  end do
  !$omp end parallel do
  if (sum /= 1000 .or. nested /= 1000) error stop 1

  if (.not. omp_test_lock(data%lock)) error stop 2
  if (omp_test_lock(data%lock)) error stop 3
  call omp_unset_lock(data%lock)
  if (omp_test_nest_lock(data%nest_lock) /= 1) error stop 4
  if (omp_test_nest_lock(data%nest_lock) /= 2) error stop 5
  call omp_unset_nest_lock(data%nest_lock)
  call omp_unset_nest_lock(data%nest_lock)
  call omp_destroy_lock(data%lock)
  call omp_destroy_nest_lock(data%nest_lock)
  if (data%behind /= 1234567 .or. data%behind_nest /= 7654321) error stop 6

contains

  subroutine again
    call omp_set_nest_lock(data%nest_lock)
    nested = nested + 1
    call omp_unset_nest_lock(data%nest_lock)
  end subroutine
end program
