// Locks as LLVM's ABI names them; the variable is an omp_lock_t or omp_nest_lock_t.
#include "abi/kmpc/kmpc.hpp"
#include "abi/omp/routines.hpp"

using namespace heddle::kmpc;

HEDDLE_EXPORT void __kmpc_init_lock(Ident*, Gtid, void** lock) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void __kmpc_init_lock_with_hint(Ident*, Gtid, void** lock, std::uintptr_t hint) {
  omp_init_lock_with_hint(lock, static_cast<int>(hint));
}
HEDDLE_EXPORT void __kmpc_destroy_lock(Ident*, Gtid, void** lock) {
  omp_destroy_lock(lock);
}
HEDDLE_EXPORT void __kmpc_set_lock(Ident*, Gtid, void** lock) {
  omp_set_lock(lock);
}
HEDDLE_EXPORT void __kmpc_unset_lock(Ident*, Gtid, void** lock) {
  omp_unset_lock(lock);
}
HEDDLE_EXPORT int __kmpc_test_lock(Ident*, Gtid, void** lock) {
  return omp_test_lock(lock);
}

HEDDLE_EXPORT void __kmpc_init_nest_lock(Ident*, Gtid, void** lock) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_init_nest_lock_with_hint(Ident*, Gtid, void** lock, std::uintptr_t hint) {
  omp_init_nest_lock_with_hint(lock, static_cast<int>(hint));
}
HEDDLE_EXPORT void __kmpc_destroy_nest_lock(Ident*, Gtid, void** lock) {
  omp_destroy_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_set_nest_lock(Ident*, Gtid, void** lock) {
  omp_set_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_unset_nest_lock(Ident*, Gtid, void** lock) {
  omp_unset_nest_lock(lock);
}
HEDDLE_EXPORT int __kmpc_test_nest_lock(Ident*, Gtid, void** lock) {
  return omp_test_nest_lock(lock);
}
