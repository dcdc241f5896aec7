! heddle.f90 offers what heddle.h offers.
#include "heddle.f90"

module numbers
  use, intrinsic :: iso_c_binding, only: c_ptr, c_int, c_f_pointer
  implicit none
contains
  subroutine double_and_add(data) bind(c)
    type(c_ptr), value :: data
    integer(c_int), pointer :: number
    call c_f_pointer(data, number)
    number = 2 * number + 1
  end subroutine
end module

program fortran_names_the_same_features
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_int, c_long, c_size_t, c_associated, c_funloc, c_loc
  use heddle
  use numbers
  implicit none
  type(c_ptr) :: task
  integer :: order(2), next, answer
  type(heddle_taskgraph_t), save :: graph
  type(heddle_taskgraph_clauses_t) :: clauses
  integer :: round, created, executed
  type(heddle_graph_task_t) :: tasks(3)
  type(c_ptr) :: ready_made
  integer(c_int), target :: number = 0

  if (heddle_version() < 1) stop 1
  call heddle_set_throttle(heddle_hold, 0_c_size_t)
  call heddle_set_wait(heddle_wait_latency)
  if (heddle_get_wait() /= heddle_wait_latency) stop 2
  next = 0
  !$omp parallel num_threads(1) shared(order, next, task) private(answer)
  call heddle_next_task_background()
  !$omp task shared(order, next)
  next = next + 1
  order(next) = 1
  !$omp end task
  call heddle_next_task_handle(task)
  !$omp task shared(order, next)
  next = next + 1
  order(next) = 2
  !$omp end task
  answer = heddle_run_task(task)
  if (answer /= heddle_run_done) stop 3
  if (c_associated(task)) stop 4
  !$omp taskwait
  !$omp end parallel
  if (next /= 2 .or. order(1) /= 2 .or. order(2) /= 1) stop 5

  created = 0
  executed = 0
  !$omp parallel shared(graph, clauses, created, executed)
  !$omp single
  do round = 1, 5
    if (heddle_taskgraph_begin(graph, clauses, c_null_ptr) /= 0) then
      created = created + 1
      !$omp task shared(executed) depend(inout: executed)
      executed = executed + 1
      !$omp end task
      !$omp task shared(executed) depend(inout: executed)
      executed = 2 * executed
      !$omp end task
      call heddle_taskgraph_end()
    end if
  end do
  !$omp end single
  !$omp end parallel
  if (created /= 1) stop 6
  if (executed /= 62) stop 7

  tasks%run = c_funloc(double_and_add)
  tasks%data = c_loc(number)
  ready_made = heddle_make_graph(3_c_size_t, tasks, [0_c_size_t, 1_c_size_t, 2_c_size_t, 2_c_size_t], &
                                 [2_c_size_t, 0_c_size_t])
  if (.not. c_associated(ready_made)) stop 8
  !$omp parallel shared(ready_made)
  !$omp single
  call heddle_execute_graph(ready_made)
  call heddle_execute_graph(ready_made)
  !$omp end single
  !$omp end parallel
  call heddle_free_graph(ready_made)
  if (number /= 63) stop 9
end program
