# The MPI of the examples. find_package(MPI) takes whatever mpicc is; where several MPIs are installed that may be the
# wrapper of one whose headers are missing: Debian's Open MPI comes with packaged applications, without them, and becomes
# mpicc. So a wrapper is taken only if it builds a program, MPICH's first, and mpiexec is its own.

set(HEDDLE_MPI "" CACHE STRING "mpich or openmpi; empty for the first that builds a program")
set(HEDDLE_MPICC "" CACHE FILEPATH "The MPI compiler wrapper, where HEDDLE_MPI does not find it")

# Of tests that start ranks: Open MPI refuses to start as root, as tests in containers do, and more ranks than there are
# processors.
set(HEDDLE_MPI_TEST_ENVIRONMENT
  "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1")

# Sets `result` to whether the wrapper makes a program that contains MPI.
function(heddle_mpi_wrapper_works wrapper result)
  set(source ${CMAKE_BINARY_DIR}/CMakeFiles/heddle_mpi.c)
  file(WRITE ${source} "#include <mpi.h>\nint main(int argc, char** argv) { return MPI_Init(&argc, &argv); }\n")
  execute_process(COMMAND ${wrapper} ${source} -o ${CMAKE_BINARY_DIR}/CMakeFiles/heddle_mpi
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Sets HEDDLE_MPI_FOUND, and makes MPI::MPI_C and MPIEXEC_EXECUTABLE, or sets HEDDLE_MPI_REASON for all folders.
macro(heddle_find_mpi)
  set(HEDDLE_MPI_FOUND FALSE)
  set(heddle_mpi_names mpicc.mpich mpicc mpicc.openmpi)
  if(HEDDLE_MPI)
    set(heddle_mpi_names mpicc.${HEDDLE_MPI})
  endif()
  if(HEDDLE_MPICC)
    set(heddle_mpi_names ${HEDDLE_MPICC})
  endif()
  set(heddle_mpi_wrapper "")
  foreach(heddle_mpi_name IN LISTS heddle_mpi_names)
    find_program(heddle_mpi_candidate ${heddle_mpi_name} NO_CACHE)
    if(heddle_mpi_candidate AND NOT heddle_mpi_wrapper)
      heddle_mpi_wrapper_works(${heddle_mpi_candidate} heddle_mpi_works)
      if(heddle_mpi_works)
        set(heddle_mpi_wrapper ${heddle_mpi_candidate})
      endif()
    endif()
    unset(heddle_mpi_candidate)
  endforeach()
  # What FindMPI learned from another wrapper is of no use.
  if(NOT heddle_mpi_wrapper STREQUAL "${HEDDLE_MPI_ASKED}")
    get_cmake_property(heddle_mpi_cached CACHE_VARIABLES)
    list(FILTER heddle_mpi_cached INCLUDE REGEX "^(MPI_|MPIEXEC_)")
    foreach(heddle_mpi_name IN LISTS heddle_mpi_cached)
      unset(${heddle_mpi_name} CACHE)
    endforeach()
    set(HEDDLE_MPI_ASKED "${heddle_mpi_wrapper}" CACHE INTERNAL "The wrapper that FindMPI was given")
  endif()
  if(heddle_mpi_wrapper)
    # mpicc.mpich's is mpiexec.mpich; mpicc's is the mpiexec beside it.
    get_filename_component(heddle_mpi_folder ${heddle_mpi_wrapper} DIRECTORY)
    get_filename_component(heddle_mpi_name ${heddle_mpi_wrapper} NAME)
    string(REGEX REPLACE "^mpi[a-z]+" "mpiexec" heddle_mpi_name ${heddle_mpi_name})
    set(MPI_C_COMPILER ${heddle_mpi_wrapper} CACHE FILEPATH "MPI compiler for C")
    find_program(MPIEXEC_EXECUTABLE NAMES ${heddle_mpi_name} HINTS ${heddle_mpi_folder})
    find_package(MPI QUIET COMPONENTS C)
  endif()
  if(NOT heddle_mpi_wrapper)
    string(REPLACE ";" ", " heddle_mpi_names "${heddle_mpi_names}")
    set(HEDDLE_MPI_REASON "no MPI compiler wrapper (${heddle_mpi_names}) builds a program; install libmpich-dev and mpich" CACHE INTERNAL "Why there is no MPI")
  elseif(NOT MPI_C_FOUND)
    set(HEDDLE_MPI_REASON "CMake cannot use ${heddle_mpi_wrapper}; name another with -DHEDDLE_MPICC=" CACHE INTERNAL "Why there is no MPI")
  elseif(NOT MPIEXEC_EXECUTABLE)
    set(HEDDLE_MPI_REASON "${heddle_mpi_wrapper} is there, but not its ${heddle_mpi_name}; install mpich" CACHE INTERNAL "Why there is no MPI")
  else()
    set(HEDDLE_MPI_FOUND TRUE)
  endif()
endmacro()
