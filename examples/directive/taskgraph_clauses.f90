! Heat in a rod, in blocks of cells: every clause of taskgraph, in Fortran. Compile it by
! 'heddle cc -- gfortran -fopenmp taskgraph_clauses.f90'; -lheddle is not needed.
module rods
  implicit none
  integer, parameter :: cells = 4096, steps = 60, first_long = 2, cut_anew = 30
  double precision :: rod(0:cells + 1, 0:1)
  integer :: recordings = 0
contains
  subroutine reset()
    rod = 0
    rod(0, :) = 100
  end subroutine

  subroutine relax(from, begin, end)
    integer, intent(in) :: from, begin, end
    integer :: i
    do i = begin, end
      rod(i, 1 - from) = 0.25d0 * rod(i - 1, from) + 0.5d0 * rod(i, from) + 0.25d0 * rod(i + 1, from)
    end do
  end subroutine

  ! Returns whether the step's tasks were created, and not taken from a record.
  logical function step(t, blocks)
    integer, intent(in) :: t, blocks
    integer :: b, from, begin, end
    from = mod(t, 2)
    step = .false.
    !$omp taskgraph graph_id(from) &   ! even and odd steps have a record each
    !$omp & graph_reset(t == cut_anew .or. t == cut_anew + 1) &   ! the blocks have changed
    !$omp & if(taskgraph: blocks > 1) &   ! a single block is not worth a record
    !$omp & nogroup   ! the region does not wait for its tasks
    step = .true.
    !$omp task replayable(.false.)   ! executed here, and no record has it
    !$omp atomic
    recordings = recordings + 1
    !$omp end task
    do b = 0, blocks - 1
      begin = 1 + b * cells / blocks
      end = (b + 1) * cells / blocks
      !$omp task firstprivate(saved: from, begin, end) replayable default(none)
      call relax(from, begin, end)
      !$omp end task
    end do
    !$omp end taskgraph
    !$omp taskwait
  end function
end module

program taskgraph_clauses
  use rods
  implicit none
  double precision :: expected
  integer :: t, blocks, created

  call reset()
  do t = 0, steps - 1
    call relax(mod(t, 2), 1, cells)
  end do
  expected = sum(rod(:, mod(steps, 2)))

  call reset()
  created = 0
  !$omp parallel
  !$omp single
  do t = 0, steps - 1
    blocks = merge(1, merge(8, 16, t < cut_anew), t < first_long)
    if (step(t, blocks)) created = created + 1
  end do
  !$omp end single
  !$omp end parallel
  print '(a,i0,2a)', 'after ', steps, ' steps the sum is ', &
    merge('right', 'wrong', sum(rod(:, mod(steps, 2))) == expected)
  print '(i0,a)', created, ' of the steps created their tasks: two of one block, two to record, two to record anew'
  print '(a,i0)', 'what is not replayable was executed in ', recordings
end program
