// teams: GCC's entry points. On the host GCC hands over the body; inside a target region it loops over the
// teams itself.
#include <algorithm>

#include "abi/gomp/gomp.hpp"
#include "abi/league_size.hpp"
#include "team/team.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

// What libgomp's manual promises (OMP_NUM_TEAMS), and programs count on.
constexpr int kTeamsOfGcc = 3;

}  // namespace

HEDDLE_EXPORT void GOMP_teams_reg(Function fn, void* data, unsigned teams, unsigned thread_limit,
                                  unsigned /*flags*/) {
  struct Call {
    Function fn;
    void* data;
  } call{fn, data};
  ToldRegion told = with_request(HEDDLE_TOLD_REGION(), teams);
  told.flags = ompt_parallel_invoker_program | ompt_parallel_league;
  league(
      league_size(static_cast<int>(teams), kTeamsOfGcc), league_thread_limit(static_cast<int>(thread_limit)),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        c.fn(c.data);
      },
      &call, told);
}

// Called before each team's turn; false says that all have had theirs.
HEDDLE_EXPORT bool GOMP_teams4(unsigned /*lowest*/, unsigned highest, unsigned thread_limit, bool is_first) {
  Member& me = this_member();
  League& current = me.team->league;
  if (is_first) {
    current = {league_size(static_cast<int>(highest)), 0};
    if (const int limit = league_thread_limit(static_cast<int>(thread_limit)); limit > 0)
      change_environment(me, [&](DataEnvironment& e) { e.thread_limit = limit; });
    return true;
  }
  if (current.number + 1 < current.size) {
    ++current.number;
    return true;
  }
  current = {};
  return false;
}

// Before GCC 12: a league of one, whatever num_teams says.
HEDDLE_EXPORT void GOMP_teams(unsigned /*teams*/, unsigned thread_limit) {
  if (const int limit = league_thread_limit(static_cast<int>(thread_limit)); limit > 0)
    change_environment(this_member(), [&](DataEnvironment& e) { e.thread_limit = limit; });
}
