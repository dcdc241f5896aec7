// parallel, and who am I: Clang's entry points.
#include <array>
#include <cstdarg>
#include <utility>

#include "abi/kmpc/kmpc.hpp"
#include "sys/fatal.hpp"
#include "team/tasking.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

using Microtask = void (*)(...);

// A compiled region body takes two thread numbers by address and then `argc` pointers. There is one caller
// for each number of arguments, made by the compiler.
constexpr std::size_t kMostArguments = 256;

using Caller = void (*)(Microtask, Gtid*, Gtid*, void**);

template <std::size_t... I>
void call_with(Microtask body, Gtid* global, Gtid* bound, [[maybe_unused]] void** arguments,
               std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Gtid*, Gtid*, decltype(static_cast<void*>(arguments[I]))...)>(body)(
      global, bound, arguments[I]...);
}

template <std::size_t N>
void call_with_n(Microtask body, Gtid* global, Gtid* bound, void** arguments) {
  call_with(body, global, bound, arguments, std::make_index_sequence<N>{});
}

template <std::size_t... N>
constexpr std::array<Caller, sizeof...(N)> make_callers(std::index_sequence<N...>) {
  return {&call_with_n<N>...};
}
constexpr auto kCallers = make_callers(std::make_index_sequence<kMostArguments + 1>{});

struct Call {
  Microtask body;
  std::int32_t argc;
  void** arguments;
};

void run_body(Member& me, void* argument) {
  const Call& call = *static_cast<Call*>(argument);
  Gtid global = gtid_of(me), bound = me.number;
  kCallers[static_cast<std::size_t>(call.argc)](call.body, &global, &bound, call.arguments);
}

void fork(Microtask body, std::int32_t argc, void** arguments, bool if_clause) {
  if (argc < 0 || static_cast<std::size_t>(argc) > kMostArguments)
    fatal("a parallel region shares %d variables, and %zu is the most; put them into a structure", argc,
          kMostArguments);
  Member& me = this_member();
  const int threads = region_size(me, std::exchange(me.requested_threads, 0), if_clause);
  Call call{body, argc, arguments};
  parallel(threads, run_body, &call);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_fork_call(Ident*, std::int32_t argc, Microtask body, ...) {
  std::array<void*, kMostArguments> arguments;
  va_list list;
  va_start(list, body);
  for (std::int32_t i = 0; i < argc && i < static_cast<std::int32_t>(kMostArguments); ++i)
    arguments[static_cast<std::size_t>(i)] = va_arg(list, void*);
  va_end(list);
  fork(body, argc, arguments.data(), true);
}

HEDDLE_EXPORT void __kmpc_fork_call_if(Ident*, std::int32_t argc, Microtask body, std::int32_t condition,
                                       void* argument) {
  fork(body, argc, &argument, condition != 0);
}

// if(false) as older compilers lower it: they call the body between these two.
HEDDLE_EXPORT void __kmpc_serialized_parallel(Ident*, Gtid) {
  this_member().requested_threads = 0;
  open_serial_region();
}
HEDDLE_EXPORT void __kmpc_end_serialized_parallel(Ident*, Gtid) {
  close_serial_region();
}

HEDDLE_EXPORT void __kmpc_push_num_threads(Ident*, Gtid, std::int32_t threads) {
  this_member().requested_threads = threads;
}
HEDDLE_EXPORT void __kmpc_push_proc_bind(Ident*, Gtid, std::int32_t /*binding*/) {}

HEDDLE_EXPORT Gtid __kmpc_global_thread_num(Ident*) {
  return gtid_of(this_member());
}
HEDDLE_EXPORT std::int32_t __kmpc_global_num_threads(Ident*) {
  return this_member().team->size;
}
HEDDLE_EXPORT Gtid __kmpc_bound_thread_num(Ident*) {
  return this_member().number;
}
HEDDLE_EXPORT std::int32_t __kmpc_bound_num_threads(Ident*) {
  return this_member().team->size;
}
HEDDLE_EXPORT std::int32_t __kmpc_in_parallel(Ident*) {
  return this_member().team->active_level > 0;
}
HEDDLE_EXPORT void __kmpc_begin(Ident*, std::int32_t) {}
HEDDLE_EXPORT void __kmpc_end(Ident*) {}
HEDDLE_EXPORT std::int32_t __kmpc_ok_to_fork(Ident*) {
  return 1;
}
