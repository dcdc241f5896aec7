// What Intel's runtime has beyond LLVM's, from which it descends, and programs of icx and ifx may ask for.
#include <cstdint>

#include "abi/kmpc/kmpc.hpp"

using namespace heddle;
using namespace heddle::kmpc;

HEDDLE_EXPORT void __kmpc_flush(Ident*);
HEDDLE_EXPORT void __kmpc_for_static_fini(Ident*, Gtid);

// kind: of the memory order; the strongest serves all.
HEDDLE_EXPORT void __kmpc_flush_explicit(Ident* source, std::int32_t /*kind*/) {
  __kmpc_flush(source);
}
HEDDLE_EXPORT void __kmpc_dist_for_static_fini(Ident* source, Gtid thread) {
  __kmpc_for_static_fini(source, thread);
}

// Threads outside a team that execute its tasks (OpenMP 6.0, threadset(omp_pool)): there are none.
HEDDLE_EXPORT int omp_is_free_agent() {
  return 0;
}
HEDDLE_EXPORT int omp_is_free_agent_() {
  return 0;
}
HEDDLE_EXPORT int omp_ancestor_is_free_agent(int /*level*/) {
  return 0;
}
HEDDLE_EXPORT int omp_ancestor_is_free_agent_(const std::int32_t* /*level*/) {
  return 0;
}

// Group memory that a kernel of a device has by ompx_dyn_cgroup_mem; not on the host.
HEDDLE_EXPORT void* ompx_get_dyn_cgroup_mem() {
  return nullptr;
}

// ifx refers to its modules by these.
extern "C" {
[[gnu::visibility("default")]] void heddle_module_omp_lib() __asm__("omp_lib._");
[[gnu::visibility("default")]] void heddle_module_omp_lib_kinds() __asm__("omp_lib_kinds._");
void heddle_module_omp_lib() {}
void heddle_module_omp_lib_kinds() {}
}
