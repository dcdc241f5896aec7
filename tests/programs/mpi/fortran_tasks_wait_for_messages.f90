! Tasks that are complete with their requests, and blocking calls that give the thread away: receives are
! executed before the sends that they wait for, whatever the number of threads.
program fortran_tasks_wait_for_messages
  implicit none
  include 'mpif.h'
  include 'TAMPIf.h'
  integer, parameter :: messages = 100
  integer :: rank, ranks, provided, error, n, before, after, wrong
  integer :: found(messages), cells(messages)
  integer :: statuses(MPI_STATUS_SIZE, messages)

  call MPI_Init_thread(MPI_TASK_MULTIPLE, provided, error)
  if (provided /= MPI_TASK_MULTIPLE) stop 1
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  before = mod(rank + ranks - 1, ranks)
  after = mod(rank + 1, ranks)
  wrong = 0
  found = -1
  cells = -1

  !$omp parallel
  !$omp single
  do n = 1, messages
    !$omp task firstprivate(n) depend(out: cells(n))
    call receive_in_task(n)
    !$omp end task
    !$omp task firstprivate(n) depend(in: cells(n))
    if (cells(n) /= 1000 * before + n .or. statuses(MPI_SOURCE, n) /= before .or. statuses(MPI_TAG, n) /= n) then
      !$omp atomic
      wrong = wrong + 1
    end if
    !$omp end task
    !$omp task firstprivate(n)
    call receive(n)
    !$omp end task
  end do
  do n = messages, 1, -1
    !$omp task firstprivate(n)
    call send(n)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel

  do n = 1, messages
    if (found(n) /= 2000 * before + n) wrong = wrong + 1
  end do
  if (wrong /= 0) stop 2
  call MPI_Finalize(error)

contains

  subroutine receive_in_task(n)
    integer, intent(in) :: n
    integer :: request, error
    call MPI_Irecv(cells(n), 1, MPI_INTEGER, before, n, MPI_COMM_WORLD, request, error)
    call TAMPI_Iwait(request, statuses(1, n), error)
    if (request /= MPI_REQUEST_NULL) stop 3
  end subroutine

  subroutine receive(n)
    integer, intent(in) :: n
    integer :: error, status(MPI_STATUS_SIZE)
    call MPI_Recv(found(n), 1, MPI_INTEGER, before, messages + n, MPI_COMM_WORLD, status, error)
    if (status(MPI_TAG) /= messages + n) stop 4
  end subroutine

  subroutine send(n)
    integer, intent(in) :: n
    integer :: error, requests(1), first, second
    first = 1000 * rank + n
    second = 2000 * rank + n
    call MPI_Isend(first, 1, MPI_INTEGER, after, n, MPI_COMM_WORLD, requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Ssend(second, 1, MPI_INTEGER, after, messages + n, MPI_COMM_WORLD, error)
  end subroutine
end program
