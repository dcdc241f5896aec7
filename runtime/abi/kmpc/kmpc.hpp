// The types of LLVM's ABI that several files share. Source: the code Clang 19 generates.
#pragma once

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi/export.hpp"
#include "deps/access.hpp"
#include "region/barrier.hpp"
#include "region/fork_join.hpp"
#include "team/team.hpp"

namespace heddle::kmpc {

/// Where in the source. text: ";file;function;line;column;;".
struct Ident {
  std::int32_t reserved;
  std::int32_t flags;
  std::int32_t reserved_too[2];
  const char* text;
};

using Gtid = std::int32_t;

union TaskWord {
  std::int32_t priority;
  std::int32_t (*destructors)(Gtid, void*);
};

/// What the compiled code sees of a task: the privates follow.
struct TaskView {
  void* shareds;
  std::int32_t (*routine)(Gtid, TaskView*);
  std::int32_t part_id;
  TaskWord destructors;
  TaskWord priority;
};

struct DependInfo {
  std::intptr_t address;
  std::size_t bytes;
  std::uint8_t flags;  // 1 in, 2 out, 4 mutexinoutset, 8 inoutset, 0x80 omp_all_memory
};

/// Bits of the flags of __kmpc_omp_task_alloc.
enum TaskFlag : std::int32_t {
  kTied = 0x1,
  kFinal = 0x2,
  kDestructors = 0x8,
  kProxy = 0x10,  // completed by a thread outside the team
  kPriority = 0x20,
  kDetachable = 0x40,
  kFreeAgent = 0x80,  // threads outside the team may execute it: none here do
  kTransparent = 0x100,
};

inline Gtid gtid_of(const Member& me) {
  return me.worker->id;
}

/// The task of ours that a compiled task lives in.
inline Task& task_of(TaskView* view) {
  return *Task::from_payload(view);
}

/// Tells reports where the code of a task stands (report/report_places.hpp).
void name_bodies();

// A region that Clang has compiled: a function that takes two thread numbers by address and then pointers.

using Microtask = void (*)(...);

inline constexpr std::int32_t kMostArguments = 256;
using ArgumentList = std::array<void*, kMostArguments>;

/// The addresses that the program passes behind its fixed arguments.
inline ArgumentList take_arguments(std::int32_t argc, va_list list) {
  ArgumentList arguments;
  for (std::int32_t i = 0; i < argc && i < kMostArguments; ++i)
    arguments[static_cast<std::size_t>(i)] = va_arg(list, void*);
  return arguments;
}

// How many iterations a loop has whose bounds Clang passes.

/// Loop bounds are inclusive. The number of iterations, as unsigned; `upper` may be below `lower`: none.
template <class T>
std::uint64_t trip_count(T lower, T upper, std::make_signed_t<T> step) {
  using U = std::make_unsigned_t<T>;
  if (step > 0)
    return upper < lower ? 0
                         : std::uint64_t{static_cast<U>(static_cast<U>(upper) - static_cast<U>(lower))} /
                                   static_cast<U>(step) +
                               1;
  return lower < upper ? 0
                       : std::uint64_t{static_cast<U>(static_cast<U>(lower) - static_cast<U>(upper))} /
                                 static_cast<U>(-static_cast<U>(step)) +
                             1;
}

}  // namespace heddle::kmpc
