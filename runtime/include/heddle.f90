! heddle.f90: what libheddle offers beyond OpenMP, for Fortran. Compile this file with your program; heddle.h
! says what each procedure does. Link with -lheddle: unlike in C, the names must be there.
module heddle
  use, intrinsic :: iso_c_binding, only: c_int, c_long, c_size_t, c_ptr, c_null_ptr, c_funptr, c_null_funptr
  implicit none
  private

  integer(c_int), parameter, public :: heddle_wait_throughput = 0_c_int
  integer(c_int), parameter, public :: heddle_wait_latency = 1_c_int
  integer(c_long), parameter, public :: heddle_hold = -1_c_long
  integer(c_int), parameter, public :: heddle_run_done = 1_c_int
  integer(c_int), parameter, public :: heddle_run_started = 0_c_int
  integer(c_int), parameter, public :: heddle_run_not_ready = -1_c_int

  public :: heddle_version, heddle_set_wait, heddle_get_wait, heddle_set_throttle
  public :: heddle_next_task_background, heddle_next_task_handle, heddle_run_task, heddle_free_task
  public :: heddle_next_task_transparent, heddle_next_task_weak
  public :: heddle_register_poller, heddle_unregister_poller
  public :: heddle_taskgraph_t, heddle_taskgraph_clauses_t, heddle_taskgraph_begin, heddle_taskgraph_end
  public :: heddle_next_task_replayable
  public :: heddle_graph_task_t, heddle_make_graph, heddle_execute_graph, heddle_free_graph

  ! run: c_funloc of a subroutine(data) bind(c) with type(c_ptr), value :: data
  type, bind(c) :: heddle_graph_task_t
    type(c_funptr) :: run = c_null_funptr
    type(c_ptr) :: data = c_null_ptr
    integer(c_int) :: priority = 0
  end type

  ! One a construct, saved: type(heddle_taskgraph_t), save :: graph
  type, bind(c) :: heddle_taskgraph_t
    type(c_ptr) :: graphs = c_null_ptr
  end type
  type, bind(c) :: heddle_taskgraph_clauses_t
    integer(c_long) :: graph_id = 0
    integer(c_int) :: graph_reset = 0, if_false = 0
    integer(c_int) :: captures_bytes = 0  ! 1: no task captures an array or an allocatable
    integer(c_int) :: nogroup = 0
  end type

  interface
    function heddle_version() bind(c)
      import :: c_int
      integer(c_int) :: heddle_version
    end function
    subroutine heddle_set_wait(wait) bind(c)
      import :: c_int
      integer(c_int), value :: wait
    end subroutine
    function heddle_get_wait() bind(c)
      import :: c_int
      integer(c_int) :: heddle_get_wait
    end function
    subroutine heddle_set_throttle(tasks, bytes) bind(c)
      import :: c_long, c_size_t
      integer(c_long), value :: tasks
      integer(c_size_t), value :: bytes
    end subroutine
    subroutine heddle_next_task_background() bind(c)
    end subroutine
    subroutine heddle_next_task_handle(task) bind(c)
      import :: c_ptr
      type(c_ptr) :: task
    end subroutine
    subroutine heddle_next_task_transparent() bind(c)
    end subroutine
    subroutine heddle_next_task_weak(address) bind(c)
      import :: c_ptr
      type(c_ptr), value :: address
    end subroutine
    function heddle_run_task(task) bind(c)
      import :: c_ptr, c_int
      type(c_ptr) :: task
      integer(c_int) :: heddle_run_task
    end function
    subroutine heddle_free_task(task) bind(c)
      import :: c_ptr
      type(c_ptr) :: task
    end subroutine
    function heddle_register_poller(poll, argument, interval_us) bind(c)
      import :: c_ptr, c_funptr, c_int
      type(c_funptr), value :: poll
      type(c_ptr), value :: argument
      integer(c_int), value :: interval_us
      type(c_ptr) :: heddle_register_poller
    end function
    ! if (heddle_taskgraph_begin(graph, clauses, c_null_ptr) /= 0) then
    !   ... the region ...
    !   call heddle_taskgraph_end()
    ! end if
    function heddle_taskgraph_begin(construct, clauses, frame) bind(c)
      import :: c_ptr, c_int, heddle_taskgraph_t, heddle_taskgraph_clauses_t
      type(heddle_taskgraph_t) :: construct
      type(heddle_taskgraph_clauses_t) :: clauses
      type(c_ptr), value :: frame
      integer(c_int) :: heddle_taskgraph_begin
    end function
    subroutine heddle_taskgraph_end() bind(c)
    end subroutine
    ! As in C: tasks are counted from 0, and so are successors.
    function heddle_make_graph(count, tasks, first_successor, successors) bind(c)
      import :: c_ptr, c_size_t, heddle_graph_task_t
      integer(c_size_t), value :: count
      type(heddle_graph_task_t), intent(in) :: tasks(*)
      integer(c_size_t), intent(in) :: first_successor(*), successors(*)
      type(c_ptr) :: heddle_make_graph
    end function
    subroutine heddle_execute_graph(graph) bind(c)
      import :: c_ptr
      type(c_ptr), value :: graph
    end subroutine
    subroutine heddle_free_graph(graph) bind(c)
      import :: c_ptr
      type(c_ptr), value :: graph
    end subroutine
    subroutine heddle_next_task_replayable(is_replayable) bind(c)
      import :: c_int
      integer(c_int), value :: is_replayable
    end subroutine
    subroutine heddle_unregister_poller(poller) bind(c)
      import :: c_ptr
      type(c_ptr), value :: poller
    end subroutine
  end interface
end module
