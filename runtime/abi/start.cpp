// The library is loaded: before any code of the program that is linked with it.
#include "report/start.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/ompt/ompt.hpp"
#include "report/second_runtime.hpp"
#include "suspend/suspension.hpp"

using namespace heddle;

namespace {

// Who is linked with one of these has tasks that suspend.
constexpr const char* kSuspendingFunctions[] = {
    "omp_task_continuation_event", "omp_taskwait_detach", "heddle_task_sleep_ns", "GOMP_taskyield",
    "__kmpc_omp_taskyield",
};

// Not omp_* and kmp_*: some are of LLVM's offloading library.
constexpr const char* kPrefixes[] = {"GOMP_", "__kmpc_"};

[[gnu::constructor]] void start() {
  connect_rooms();
  gomp::name_bodies();
  kmpc::name_bodies();
  ompt::connect();
  set_suspending_functions(kSuspendingFunctions);
  set_compilers_prefixes(kPrefixes);
}

}  // namespace
