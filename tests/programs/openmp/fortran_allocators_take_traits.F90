! Allocators from Fortran. OpenMP 5.2, 18.13.
program fortran_allocators_take_traits
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type(omp_alloctrait) :: traits(2)
  integer(omp_allocator_handle_kind) :: allocator
#ifdef __GFORTRAN__
  type(c_ptr) :: block
  integer(c_intptr_t) :: address
#endif

  traits(1)%key = omp_atk_alignment
  traits(1)%value = 4096
  traits(2)%key = omp_atk_pool_size
  traits(2)%value = 1048576
  allocator = omp_init_allocator(omp_default_mem_space, 2, traits)
  if (allocator == omp_null_allocator) error stop 1
  if (omp_get_default_allocator() /= omp_default_mem_alloc) error stop 2
  call omp_set_default_allocator(allocator)
  if (omp_get_default_allocator() /= allocator) error stop 3
#ifdef __GFORTRAN__
  block = omp_alloc(1000_c_size_t, omp_null_allocator)
  address = transfer(block, address)
  if (address == 0 .or. modulo(address, 4096_c_intptr_t) /= 0) error stop 4
  call omp_free(block, allocator)
#endif
  call omp_set_default_allocator(omp_default_mem_alloc)
  call omp_destroy_allocator(allocator)
end program
