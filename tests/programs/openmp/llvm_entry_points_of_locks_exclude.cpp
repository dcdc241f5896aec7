// The lock entry points of LLVM's ABI, called by name, on storage of omp.h. OpenMP 5.2, 18.9.
#include <dlfcn.h>
#include <omp.h>

#include <cstdint>
#include <initializer_list>

#include "check.h"

namespace {

template <class Result = void, class... Arguments>
Result call(const char* name, Arguments... arguments) {
  void* found = dlsym(RTLD_DEFAULT, name);
  CHECK(found != nullptr);
  return reinterpret_cast<Result (*)(void*, int, Arguments...)>(found)(nullptr, 0, arguments...);
}

}  // namespace

int main() {
  void *simple = nullptr, *nested = nullptr;
  for (const bool has_hint : {false, true}) {
    if (has_hint) {
      call("__kmpc_init_lock_with_hint", &simple, std::uintptr_t{2});
      call("__kmpc_init_nest_lock_with_hint", &nested, std::uintptr_t{1});
    } else {
      call("__kmpc_init_lock", &simple);
      call("__kmpc_init_nest_lock", &nested);
    }
    int sum = 0, depth = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 500; ++i) {
      call("__kmpc_set_lock", &simple);
      ++sum;
      call("__kmpc_unset_lock", &simple);
      call("__kmpc_set_nest_lock", &nested);
      call("__kmpc_set_nest_lock", &nested);
      ++depth;
      call("__kmpc_unset_nest_lock", &nested);
      call("__kmpc_unset_nest_lock", &nested);
    }
    CHECK(sum == 2000 && depth == 2000);
    CHECK(call<int>("__kmpc_test_lock", &simple) == 1 && call<int>("__kmpc_test_lock", &simple) == 0);
    CHECK(call<int>("__kmpc_test_nest_lock", &nested) == 1 &&
          call<int>("__kmpc_test_nest_lock", &nested) == 2);
    call("__kmpc_unset_lock", &simple);
    call("__kmpc_unset_nest_lock", &nested);
    call("__kmpc_unset_nest_lock", &nested);
    call("__kmpc_destroy_lock", &simple);
    call("__kmpc_destroy_nest_lock", &nested);
  }
  return 0;
}
