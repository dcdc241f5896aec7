// LLVM's entry points of tasks as Clang's code calls them, for programs that make those calls themselves.
#ifndef HEDDLE_TESTS_RUNTIME_PROGRAMS_LLVM_CALLS_HPP_
#define HEDDLE_TESTS_RUNTIME_PROGRAMS_LLVM_CALLS_HPP_

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

#include "check.h"

namespace {

struct View {  // what the runtime knows of a task
  void** shareds;
  int (*routine)(int, View*);
  int part;
  union {
    int (*destructors)(int, View*);
    int priority;
  } words[2];
};

struct Depend {
  const void* address;
  std::size_t bytes;
  std::uint8_t flags;
};

template <class Function>
Function find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  CHECK(found != nullptr);
  return reinterpret_cast<Function>(found);
}

const auto number = find<int (*)(void*)>("__kmpc_global_thread_num");
const auto alloc =
    find<View* (*)(void*, int, int, std::size_t, std::size_t, int (*)(int, View*))>("__kmpc_omp_task_alloc");

constexpr int kTied = 1;

}  // namespace

#endif
