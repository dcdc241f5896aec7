! Tasks of Fortran programs: dependences, taskgroup, final, and an event that another task fulfils.
! OpenMP 5.2, 12.5 task, 15.9.5 depend, 18.11.1 omp_fulfill_event.
program fortran_tasks_follow_their_dependences
  use omp_lib
  implicit none
  integer :: i, chain, last
#ifdef __GFORTRAN__
  integer(omp_event_handle_kind) :: event
#endif

  do i = 1, 20
    chain = 0
    last = 0
    !$omp parallel num_threads(4)
    !$omp single
    !$omp task depend(out : chain)
    chain = 1
    !$omp end task
    !$omp task depend(inout : chain)
    chain = chain * 10 + 2
    !$omp end task
    !$omp task depend(in : chain)
    last = chain
    !$omp end task
    !$omp taskwait
    if (last /= 12) error stop 1
    !$omp taskgroup
    !$omp task
    !$omp task
    !$omp atomic
    last = last + 1
    !$omp end task
    !$omp end task
    !$omp end taskgroup
    if (last /= 13) error stop 2
    !$omp task final(.true.)
    if (.not. omp_in_final()) error stop 3
    !$omp end task
#ifdef __GFORTRAN__
    !$omp task detach(event) depend(out : chain)
    chain = 40
    !$omp end task
    !$omp task
    call omp_fulfill_event(event)
    !$omp end task
    !$omp task depend(in : chain)
    if (chain /= 40) error stop 4
    !$omp end task
#endif
    !$omp end single
    !$omp end parallel
  end do
end program
