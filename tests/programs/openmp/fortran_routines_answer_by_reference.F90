! The routines as Fortran calls them, in the default kinds and, where gfortran has them, in the wide ones.
! OpenMP 5.2, 18.2-18.7, 18.10.
program fortran_routines_answer_by_reference
  use omp_lib
  implicit none
  integer :: failures, self, chunk
  integer(omp_sched_kind) :: kind
  double precision :: start

  failures = 0
  call omp_set_dynamic(.false.)
  call check(.not. omp_get_dynamic())
  call omp_set_dynamic(.true.)
  call check(omp_get_dynamic())
  call omp_set_dynamic(.false.)
  call omp_set_num_threads(3)
  call check(omp_get_max_threads() == 3)
  call omp_set_max_active_levels(2)
  call check(omp_get_max_active_levels() == 2)
  call check(omp_get_supported_active_levels() >= 2)
  call omp_set_schedule(omp_sched_guided, 7)
  call omp_get_schedule(kind, chunk)
  call check(kind == omp_sched_guided .and. chunk == 7)
  call check(omp_get_num_procs() >= 1 .and. omp_get_thread_limit() >= 3)
  call check(.not. omp_in_parallel() .and. .not. omp_in_final())
  call check(omp_get_level() == 0 .and. omp_get_num_threads() == 1 .and. omp_get_thread_num() == 0)
  call check(omp_is_initial_device() .and. omp_get_initial_device() == omp_get_num_devices())
  call omp_set_default_device(2)
  call check(omp_get_default_device() == 2)
  call check(omp_get_max_task_priority() == 0)
  call omp_set_num_teams(3)
  call check(omp_get_max_teams() == 3)
  call omp_set_teams_thread_limit(2)
  call check(omp_get_teams_thread_limit() == 2)
  call check(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0)
  call check(omp_pause_resource_all(omp_pause_hard) == 0)
  start = omp_get_wtime()
  call check(omp_get_wtick() > 0 .and. omp_get_wtime() >= start)

  !$omp parallel private(self) reduction(+ : failures)
  self = omp_get_thread_num()
  if (.not. omp_in_parallel()) failures = failures + 1
  if (omp_get_level() /= 1 .or. omp_get_active_level() /= 1) failures = failures + 1
  if (omp_get_num_threads() /= 3 .or. omp_get_team_size(1) /= 3) failures = failures + 1
  if (omp_get_ancestor_thread_num(1) /= self .or. omp_get_ancestor_thread_num(0) /= 0) failures = failures + 1
  if (omp_get_ancestor_thread_num(2) /= -1) failures = failures + 1
  !$omp end parallel
  call check(failures == 0)

#ifdef __GFORTRAN__
  call wide_kinds
#endif

contains

  subroutine check(holds)
    logical, intent(in) :: holds
    if (.not. holds) error stop 1
  end subroutine

#ifdef __GFORTRAN__
  subroutine wide_kinds
    logical(8) :: yes = .true.
    integer(8) :: wide
    integer(omp_sched_kind) :: wide_kind
    call omp_set_dynamic(yes)
    call check(omp_get_dynamic())
    call omp_set_num_threads(5_8)
    call check(omp_get_max_threads() == 5)
    call omp_set_max_active_levels(3_8)
    call check(omp_get_max_active_levels() == 3)
    call omp_set_schedule(omp_sched_dynamic, 11_8)
    call omp_get_schedule(wide_kind, wide)
    call check(wide_kind == omp_sched_dynamic .and. wide == 11)
    call check(omp_get_ancestor_thread_num(0_8) == 0 .and. omp_get_team_size(9_8) == -1)
    call omp_set_num_teams(4_8)
    call check(omp_get_max_teams() == 4)
    call omp_set_teams_thread_limit(5_8)
    call check(omp_get_teams_thread_limit() == 5)
    call omp_set_default_device(4_8)
    call check(omp_get_default_device() == 4)
  end subroutine
#endif
end program
