! TAMPI's wrappers: each operation is started in a task of its own, and what depends on it finds it done. Ends with
! calls that suspend, beside all of them.
program fortran_wrappers
  use mpi
  implicit none
  include 'TAMPIf.h'
  integer :: rank, ranks, provided, error, before, after, i, wrong
  integer :: sent, ready, found(3), sum, least, scanned, gathered(64), dealt(64), place(2), all_(64), mine, token
  integer :: counts(64), begins(64), steps(64), types(64), whole(64)

  call MPI_Init_thread(MPI_TASK_MULTIPLE, provided, error)
  if (provided /= MPI_TASK_MULTIPLE) stop 1
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  before = mod(rank + ranks - 1, ranks)
  after = mod(rank + 1, ranks)
  wrong = 0
  sent = 10 + rank
  ready = merge(7, -1, rank == 0)
  place = [rank, 2 * rank]
  counts = 1
  types = MPI_INTEGER
  do i = 1, 64
    begins(i) = i - 1
    steps(i) = 4 * (i - 1)
    dealt(i) = 100 * i + rank
  end do
  found = -1
  whole = -1

  !$omp parallel
  !$omp single
  !$omp task depend(out: found(1))
  call receive(found(1), 1)
  !$omp end task
  !$omp task depend(out: found(2))
  call receive(found(2), 2)
  !$omp end task
  !$omp task depend(in: found(1), found(2))
  call check(found(1) == 10 + before .and. found(2) == 10 + before)
  !$omp end task
  ! On every rank in the same order: collective operations are told apart by it.
  !$omp task
  call collectives()
  !$omp end task
  !$omp task depend(in: sent)
  call send(1)
  !$omp end task
  !$omp task depend(in: sent)
  call send(2)
  !$omp end task
  ! Blocking: each rank waits for the one before, and nobody has sent yet.
  !$omp task
  call MPI_Recv(token, 1, MPI_INTEGER, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  !$omp end task
  !$omp task
  call MPI_Ssend(sent, 1, MPI_INTEGER, after, 3, MPI_COMM_WORLD, error)
  !$omp end task
  !$omp end single
  !$omp end parallel

  call check(token == 10 + before)
  call check(ready == 7)
  call check(sum == ranks * (ranks - 1) / 2 .and. least == 0)
  call check(scanned == rank * (rank + 1) / 2)
  call check(place(1) == ranks * (ranks - 1) / 2 .and. place(2) == ranks * (ranks - 1))
  call check(mine == 100 * (rank + 1))
  do i = 1, ranks
    call check(gathered(i) == i - 1)
    call check(all_(i) == 100 * (rank + 1) + i - 1)
    call check(whole(i) == 100 * (rank + 1) + i - 1)
  end do
  if (wrong /= 0) stop 2
  call MPI_Finalize(error)

contains

  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (.not. is_right) then
      !$omp atomic
      wrong = wrong + 1
    end if
  end subroutine

  subroutine receive(into, tag)
    integer, intent(inout) :: into
    integer, intent(in) :: tag
    integer :: request, error
    request = -1
    call TAMPI_Irecv(into, 1, MPI_INTEGER, before, tag, MPI_COMM_WORLD, request, MPI_STATUS_IGNORE, error)
    call check(request == MPI_REQUEST_NULL .and. error == MPI_SUCCESS)
    call TAMPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine send(tag)
    integer, intent(in) :: tag
    integer :: request, error
    if (tag == 1) then
      call TAMPI_Isend(sent, 1, MPI_INTEGER, after, tag, MPI_COMM_WORLD, request, error)
    else
      call TAMPI_Issend(sent, 1, MPI_INTEGER, after, tag, MPI_COMM_WORLD, request, error)
    end if
    call check(request == MPI_REQUEST_NULL .and. error == MPI_SUCCESS)
  end subroutine

  subroutine collectives()
    integer :: r, e
    call TAMPI_Ibarrier(MPI_COMM_WORLD, r, e)
    call TAMPI_Ibcast(ready, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, r, e)
    call TAMPI_Iallreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r, e)
    least = 0
    call TAMPI_Ireduce(rank, least, 1, MPI_INTEGER, MPI_MIN, 0, MPI_COMM_WORLD, r, e)
    call TAMPI_Iscan(rank, scanned, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r, e)
    call TAMPI_Iallreduce(MPI_IN_PLACE, place(1), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r, e)
    call TAMPI_Iallgather(rank, 1, MPI_INTEGER, gathered(1), 1, MPI_INTEGER, MPI_COMM_WORLD, r, e)
    call TAMPI_Iscatter(dealt(1), 1, MPI_INTEGER, mine, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, r, e)
    call TAMPI_Ialltoallv(dealt(1), counts, begins, MPI_INTEGER, all_(1), counts, begins, MPI_INTEGER, MPI_COMM_WORLD, r, e)
    call TAMPI_Ialltoallw(dealt(1), counts, steps, types, whole(1), counts, steps, types, MPI_COMM_WORLD, r, e)
    call check(r == MPI_REQUEST_NULL .and. e == MPI_SUCCESS)
  end subroutine
end program
