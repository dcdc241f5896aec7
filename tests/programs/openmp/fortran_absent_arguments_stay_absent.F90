! An optional argument that is absent is absent in a target region as well. gfortran 12 itself fails on small scalars,
! which travel in the address; flang 19 reads no firstprivate there.
! OpenMP 5.2, 13.8 target construct; Fortran 2018, 15.5.2.12.
program fortran_absent_arguments_stay_absent
  implicit none
#ifdef __GFORTRAN__
  call add(5)
  call add(5, [1, 2, 3], (4d0, 0d0))
contains
  subroutine add(expected, list, one)
    integer, intent(in) :: expected
    integer, intent(in), optional :: list(3)
    complex(8), intent(in), optional :: one
    integer :: total
    total = 5
    !$omp target firstprivate(list, one) map(tofrom : total)
    if (present(list)) total = total + sum(list)
    if (present(one)) total = total + int(real(one))
    !$omp end target
    if (present(one) .and. total /= expected + 10) error stop 1
    if (.not. present(one) .and. total /= expected) error stop 2
    !$omp target firstprivate(list, one) map(tofrom : total) nowait
    if (present(list)) total = total + sum(list)
    if (present(one)) total = total + int(real(one))
    !$omp end target
    !$omp taskwait
    if (present(one) .and. total /= expected + 20) error stop 3
    if (.not. present(one) .and. total /= expected) error stop 4
  end subroutine
#endif
end program
