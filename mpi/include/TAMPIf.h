! TAMPIf.h: TAMPI's names in Fortran, for free and fixed form. Include it where MPI's names are: mpif.h, mpi or
! mpi_f08. Link libheddle-mpi-fortran and libheddle-mpi before MPI's libraries. TAMPI.h says what they do.
!     call TAMPI_Iwait(request, status, ierror)
!     call TAMPI_Iwaitall(count, requests, statuses, ierror)
!     call TAMPI_Init(required, provided, ierror)
      integer MPI_TASK_MULTIPLE
      parameter (MPI_TASK_MULTIPLE=MPI_THREAD_MULTIPLE+1)
      external TAMPI_Iwait, TAMPI_Iwaitall, TAMPI_Init, TAMPI_Finalize
