! TAMPI's names with the types of mpi_f08, and blocking calls of mpi_f08 that give the thread away.
program fortran_2008_handles
  use mpi_f08
  implicit none
  include 'TAMPIf.h'
  integer :: rank, ranks, provided, n
  integer :: found(2), sent(2), sums(2), token, total
  type(MPI_Request) :: requests(4)
  type(MPI_Status) :: status

  call MPI_Init_thread(MPI_TASK_MULTIPLE, provided)
  if (provided /= MPI_TASK_MULTIPLE) stop 5
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  sent = [rank, -rank]
  found = -7
  sums = 0
  !$omp parallel private(n)
  !$omp single
  !$omp task depend(out: found)
  call start()
  !$omp end task
  !$omp task depend(in: found)
  sums = found
  !$omp end task
  !$omp task
  call wait_for_one()
  !$omp end task
  !$omp task
  call receive_token()
  !$omp end task
  !$omp task
  call MPI_Ssend(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 3, MPI_COMM_WORLD)
  !$omp end task
  !$omp end single
  !$omp end parallel
  n = mod(rank + ranks - 1, ranks)
  if (any(sums /= [n, -n])) stop 1
  if (token /= n) stop 6
  total = 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (total /= ranks) stop 7
  call MPI_Finalize()

contains

  subroutine start()
    integer :: n, error
    do n = 1, 2
      call MPI_Irecv(found(n), 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), n, MPI_COMM_WORLD, requests(n))
      call MPI_Isend(sent(n), 1, MPI_INTEGER, mod(rank + 1, ranks), n, MPI_COMM_WORLD, requests(n + 2))
    end do
    call TAMPI_Iwaitall(4, requests, MPI_STATUSES_IGNORE, error)
    if (error /= MPI_SUCCESS) stop 2
    do n = 1, 4
      if (requests(n) /= MPI_REQUEST_NULL) stop 3
    end do
  end subroutine

  ! Without an error among the arguments.
  subroutine receive_token()
    type(MPI_Status) :: found
    call MPI_Recv(token, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 3, MPI_COMM_WORLD, found)
    if (found%MPI_TAG /= 3) stop 8
  end subroutine

  subroutine wait_for_one()
    type(MPI_Request) :: request
    integer :: error
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    call TAMPI_Iwait(request, status, error)
    if (error /= MPI_SUCCESS) stop 4
  end subroutine
end program
