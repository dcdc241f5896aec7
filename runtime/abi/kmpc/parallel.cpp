// parallel, and the number of the calling thread: Clang's entry points.
#include <array>
#include <cstdarg>
#include <utility>

#include "abi/defaults.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "sys/fatal.hpp"
#include "team/affinity.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

template <std::size_t... I>
void call_with(Microtask body, Gtid* global, Gtid* bound, [[maybe_unused]] void** arguments,
               std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Gtid*, Gtid*, decltype(static_cast<void*>(arguments[I]))...)>(body)(
      global, bound, arguments[I]...);
}

template <std::size_t N>
void execute_with(Member& me, const RegionCode& code) {
  Gtid global = gtid_of(me), bound = me.number;
  call_with(reinterpret_cast<Microtask>(code.function), &global, &bound, static_cast<void**>(code.argument),
            std::make_index_sequence<N>{});
}

// There is one way to call for each number of arguments, made by the compiler.
using Execute = void (*)(Member&, const RegionCode&);
template <std::size_t... N>
constexpr std::array<Execute, sizeof...(N)> make_executes(std::index_sequence<N...>) {
  return {&execute_with<N>...};
}
constexpr auto kExecutes = make_executes(std::make_index_sequence<std::size_t{kMostArguments} + 1>{});

// Errors: ends the program where argc exceeds kMostArguments.
RegionCode code_of(Microtask body, std::int32_t argc, void** arguments) {
  if (argc < 0 || argc > kMostArguments)
    fatal("a parallel region shares %d variables, and %d is the most; put them into a structure", argc,
          kMostArguments);
  return {kExecutes[static_cast<std::size_t>(argc)], reinterpret_cast<void (*)()>(body), arguments};
}

void judge(Strictness strictness, int requested, int threads) {
  if (threads >= requested) return;
  const char* message =
      strictness.message != nullptr ? strictness.message : "fewer threads than num_threads(strict:)";
  if (strictness.severity == 2) fatal("%s (%d asked for, %d given)", message, requested, threads);
  warn("%s (%d asked for, %d given)", message, requested, threads);
}

void fork(Microtask body, std::int32_t argc, void** arguments, bool if_clause, RegionRequest request) {
  const RegionCode code = code_of(body, argc, arguments);
  speak(Dialect::kLlvm);
  Member& me = this_member();
  const int requested = std::exchange(me.requests.threads, 0);
  const int threads = region_size(me, requested, if_clause);
  if (me.requests.strictness.severity != 0) [[unlikely]]
    judge(std::exchange(me.requests.strictness, {}), requested, threads);
  request.passes_fp_modes_on = true;
  request.requested = if_clause ? requested : 1;
  parallel(threads, code, request);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_fork_call(Ident*, std::int32_t argc, Microtask body, ...) {
  va_list list;
  va_start(list, body);
  ArgumentList arguments = take_arguments(argc, list);
  va_end(list);
  fork(body, argc, arguments.data(), true, HEDDLE_REGION_REQUEST());
}

HEDDLE_EXPORT void __kmpc_fork_call_if(Ident*, std::int32_t argc, Microtask body, std::int32_t condition,
                                       void* argument) {
  fork(body, argc, &argument, condition != 0, HEDDLE_REGION_REQUEST());
}

// if(false) as older compilers lower it: they call the body between these two.
HEDDLE_EXPORT void __kmpc_serialized_parallel(Ident*, Gtid) {
  this_member().requests.threads = 0;
  RegionRequest request = HEDDLE_REGION_REQUEST();
  request.requested = 1;
  open_serial_region(request);
}
HEDDLE_EXPORT void __kmpc_end_serialized_parallel(Ident*, Gtid) {
  close_serial_region();
}

HEDDLE_EXPORT void __kmpc_push_num_threads(Ident*, Gtid, std::int32_t threads) {
  this_member().requests.threads = threads;
}
HEDDLE_EXPORT void __kmpc_pop_num_threads(Ident*, Gtid) {
  this_member().requests.threads = 0;
}

// num_threads with a list: the first value is for the next region, the others for those nested in it.
// `strict`: fewer threads than asked for are an error, with the program's own message (OpenMP 6.0,
// section 12.1.2).
HEDDLE_EXPORT void __kmpc_push_num_threads_list(Ident*, Gtid, std::uint32_t count, const std::int32_t* list) {
  Member& me = this_member();
  if (count == 0) return;
  me.requests.threads = list[0];
  me.requests.threads_by_level.assign(list + 1, list + count);
}
HEDDLE_EXPORT void __kmpc_push_num_threads_strict(Ident* where, Gtid gtid, std::int32_t threads,
                                                  std::int32_t severity, const char* message) {
  __kmpc_push_num_threads(where, gtid, threads);
  this_member().requests.strictness = {severity, message};
}
HEDDLE_EXPORT void __kmpc_push_num_threads_list_strict(Ident* where, Gtid gtid, std::uint32_t count,
                                                       const std::int32_t* list, std::int32_t severity,
                                                       const char* message) {
  __kmpc_push_num_threads_list(where, gtid, count, list);
  this_member().requests.strictness = {severity, message};
}

HEDDLE_EXPORT void __kmpc_push_proc_bind(Ident*, Gtid, std::int32_t binding) {
  if (binding >= 2 && binding <= 4) this_member().requests.binding = static_cast<ProcBind>(binding);
}

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

// -- teams and distribute: Clang's entry points. Teams execute one after the other (team.hpp).

HEDDLE_EXPORT void __kmpc_push_num_teams(Ident*, Gtid, std::int32_t teams, std::int32_t threads) {
  Member& me = this_member();
  me.requests.teams = teams;
  me.requests.thread_limit = threads;
}
HEDDLE_EXPORT void __kmpc_push_num_teams_51(Ident*, Gtid, std::int32_t /*lowest*/, std::int32_t highest,
                                            std::int32_t threads) {
  Member& me = this_member();
  me.requests.teams = highest;
  me.requests.thread_limit = threads;
}
HEDDLE_EXPORT void __kmpc_fork_teams(Ident*, std::int32_t argc, Microtask body, ...) {
  va_list list;
  va_start(list, body);
  ArgumentList arguments = take_arguments(argc, list);
  va_end(list);
  const RegionCode code = code_of(body, argc, arguments.data());
  Member& me = this_member();
  RegionRequest request = HEDDLE_REGION_REQUEST();
  request.requested = me.requests.teams;
  request.flags = ompt_parallel_invoker_runtime | ompt_parallel_league;
  league(league_size(std::exchange(me.requests.teams, 0)),
         league_thread_limit(std::exchange(me.requests.thread_limit, 0)), code, request);
}
