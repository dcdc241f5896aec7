// teams and distribute: Clang's entry points. Teams execute one after the other (team.hpp).
#include <cstdarg>
#include <utility>

#include "abi/kmpc/fork.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/league_size.hpp"

using namespace heddle;
using namespace heddle::kmpc;

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
  Call call = make_call(body, argc, arguments.data());
  Member& me = this_member();
  ToldRegion told = HEDDLE_TOLD_REGION();
  told.requested = me.requests.teams;
  told.flags = ompt_parallel_invoker_runtime | ompt_parallel_league;
  league(league_size(std::exchange(me.requests.teams, 0)),
         league_thread_limit(std::exchange(me.requests.thread_limit, 0)), run_body, &call, told);
}
