// The library is loaded: before any code of the program that is linked with it.
#include "report/start.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/ompt/ompt.hpp"
#include "icv/display.hpp"
#include "suspend/suspension.hpp"
#include "sys/loaded_objects.hpp"

using namespace heddle;

namespace {

// A program that is linked with one of these has tasks that suspend.
constexpr const char* kSuspendingFunctions[] = {
    "omp_task_continuation_event",  "omp_taskwait_detach",   "heddle_task_sleep_ns",
    "heddle_next_task_transparent", "heddle_next_task_weak", "GOMP_taskyield",
    "__kmpc_omp_taskyield",
};

// Not omp_* and kmp_*: some are of LLVM's offloading library.
constexpr const char* kPrefixes[] = {"GOMP_", "__kmpc_"};

// That of the first object that calls either runtime: the program's, if it does.
DisplayStyle find_display_style() {
  const std::vector<Need> needs = needs_beginning_with(kPrefixes);
  return !needs.empty() && needs.front().function.starts_with("GOMP_") ? DisplayStyle::kGnu
                                                                       : DisplayStyle::kLlvm;
}

[[gnu::constructor]] void start() {
  connect_rooms();
  gomp::name_bodies();
  kmpc::name_bodies();
  ompt::connect();
  set_suspending_functions(kSuspendingFunctions);
  set_compilers_prefixes(kPrefixes, "GOMP_PLUGIN_");
  set_display_style(find_display_style);
}

}  // namespace
