! TAMPIf.h: TAMPI's names in Fortran, for free and fixed form. Include it where MPI's names are: mpif.h, mpi or
! mpi_f08. Link libheddle-mpi-fortran and libheddle-mpi before MPI's libraries. TAMPI.h says what they do.
!     call TAMPI_Iwait(request, status, ierror)
!     call TAMPI_Iwaitall(count, requests, statuses, ierror)
!     call TAMPI_Init(required, provided, ierror)
! The wrappers have the arguments of the operations that they start, as version 3 of the interface: a request, which
! becomes MPI_REQUEST_NULL, and TAMPI_Irecv a status behind it. TAMPI_Wait and TAMPI_Waitall do nothing.
!     call TAMPI_Isend(buffer, count, type, to, tag, comm, request, ierror)
!     call TAMPI_Irecv(buffer, count, type, from, tag, comm, request, status, ierror)
      integer MPI_TASK_MULTIPLE
      parameter (MPI_TASK_MULTIPLE=MPI_THREAD_MULTIPLE+1)
      external TAMPI_Iwait, TAMPI_Iwaitall, TAMPI_Init, TAMPI_Finalize
      external TAMPI_Isend, TAMPI_Ibsend, TAMPI_Irsend, TAMPI_Issend
      external TAMPI_Irecv, TAMPI_Wait, TAMPI_Waitall
      external TAMPI_Ibarrier, TAMPI_Ibcast, TAMPI_Ireduce
      external TAMPI_Iallreduce, TAMPI_Iscan, TAMPI_Iexscan
      external TAMPI_Ireduce_scatter, TAMPI_Ireduce_scatter_block
      external TAMPI_Igather, TAMPI_Igatherv, TAMPI_Iscatter
      external TAMPI_Iscatterv, TAMPI_Iallgather, TAMPI_Iallgatherv
      external TAMPI_Ialltoall, TAMPI_Ialltoallv, TAMPI_Ialltoallw
