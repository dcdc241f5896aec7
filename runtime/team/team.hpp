// Teams: the threads that execute one parallel region, and what they share.
//
// Words
//   worker   a thread that this runtime knows, its own or the program's; it outlives the teams it serves
//   member   a place in a team; a worker that forks a nested team is a member of both, and acts for the
//            inner one
//   hot team a team kept by its master after a region, threads and all, for the next region at that depth
//   quiescent  every explicit task created in the team is complete
//
// Invariant: a team with `size` n is executed by members 0 .. n-1; member 0 is the master. Everything that a
// region needs is written by the master before it opens the region and read by the others after they see it
// open.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "deps/dependence_table.hpp"
#include "fiber/stack_pool.hpp"
#include "icv/icvs.hpp"
#include "icv/settings.hpp"
#include "mem/cache.hpp"
#include "sched/chosen_order.hpp"
#include "sched/home_table.hpp"
#include "sched/lengths.hpp"
#include "sched/pollers.hpp"
#include "sched/ready_set.hpp"
#include "sched/reasons.hpp"
#include "sched/spawn_policy.hpp"
#include "sched/workshare.hpp"
#include "sync/event_count.hpp"
#include "sync/parking.hpp"
#include "sys/fp_modes.hpp"
#include "sys/processor.hpp"
#include "sys/thread_pointer.hpp"
#include "task/external_state.hpp"
#include "task/implicit_task.hpp"
#include "task/task.hpp"
#include "team/assignment.hpp"
#include "team/execution_context.hpp"
#include "team/partition.hpp"
#include "team/quiescence.hpp"
#include "team/region_opening.hpp"
#include "team/suspended.hpp"
#include "team/tree_barrier.hpp"
#include "trace/tool.hpp"

namespace heddle {

/// The threads that OMP_THREAD_LIMIT bounds together: an initial thread and those of the regions inside,
/// nested ones included (OpenMP 5.2, section 2.3 and algorithm 10.1).
///
/// Invariant: what take() gave is given back once. The initial thread counts for itself.
class ContentionGroup {
 public:
  /// Threads that a region may have besides the one that meets it.
  int available(int thread_limit) const { return std::max(0, thread_limit - threads_.load()); }

  /// Takes up to `wanted` of them, and returns how many.
  int take(int wanted, int thread_limit) {
    if (wanted == 0) return 0;
    int before = threads_.load();
    int taken;
    do {
      taken = std::clamp(thread_limit - before, 0, wanted);
    } while (!threads_.compare_exchange_weak(before, before + taken));
    return taken;
  }
  void give_back(int count) {
    if (count != 0) threads_.fetch_sub(count);
  }

  /// In the child of a fork: the caller is the only thread.
  void forget_other_threads() { threads_.store(1); }

 private:
  RelaxedAtomic<int> threads_{1};
};

struct Team;
struct Worker;
struct ContinuationEvent;
struct GraphSlot;
class WaitInPlace;

/// What happens where a region gets fewer threads than its num_threads(strict: …) says: severity 1 warns, 2
/// ends the program, 0 nothing. The message is the program's, or null.
struct Strictness {
  int severity = 0;
  const char* message = nullptr;
};

/// Completions that a member has not announced yet: of tasks of one parent, in one taskgroup
/// (tasking/complete.hpp).
struct Completions {
  Task* parent = nullptr;
  TaskGroup* group = nullptr;
  std::uint32_t count = 0;
};

/// How a task is transparent (tasking/transparent.hpp).
struct Transparency {
  bool is_for_all_memory = false;   // else for the addresses of its depend clauses
  bool is_weak = false;             // it waits for none of these itself
  std::vector<const void*> weak{};  // else not for these
};

/// What the clauses of the next construct of a kind say, where the compiler passes them in calls of their
/// own.
struct ClauseRequests {
  TaskRequest task;                     // for the next task
  Transparency transparency;            // where it is to be transparent
  int threads = 0;                      // num_threads of the next region; 0: none
  std::vector<int> threads_by_level;    // its values for the levels below, where it lists several
  Strictness strictness;                // its strict modifier
  ProcBind binding = ProcBind::kFalse;  // proc_bind of the next region
  int teams = 0;                        // num_teams of the next teams construct; 0: none
  int thread_limit = 0;                 // its thread_limit; 0: none
  std::vector<Dependence>
      waited_for;  // what Clang's next undeferred task depends on, if it has an event or is transparent
};

/// What a tool believes of a member (abi/ompt/observer.cpp).
struct ToolView {
  Task* task = nullptr;          // the one that it executes
  bool yields = false;           // it leaves that task by a taskyield
  int work = 0;                  // ompt_work_t of the worksharing loop or sections that it is in; 0: none
  const void* single = nullptr;  // of a single construct that it executes; null: of none
};

/// Whose turn it is by taskyield (tasking/wait.cpp).
struct YieldTurns {
  bool to_others = false;  // where the last taskyield looked first
  int since_start = 0;     // taskyields since the last that has started a task, while there are many contexts
};

/// Fields stand by the thread that writes them: what a region sets; what the member's thread changes, which
/// other threads leave alone; what it writes and they read.
struct alignas(kCacheLine) Member {
  static constexpr std::int64_t kNothing = INT64_MAX;

  StartRule rule() const { return context.rule(); }

  // -- the place in the team
  Team* team = nullptr;
  int number = 0;
  int team_size = 1;         // of the region this member is in; Team::size may already be the next region's
  Worker* worker = nullptr;  // that acts in this place during the current region
  MemoryCache* cache = nullptr;  // the worker's
  int place = kNoPlace;          // OpenMP's: the processors that it is bound to
  Partition partition;
  bool is_observed = false;  // for good: the order of its tasks is chosen or logged, or a tool is active
  RegionOpening<>::Seen seen_opening = 0;  // when this place was last looked after

  // -- what it executes
  ExecutionContext context;
  // Of which its implicit task has begun executions (replay/taskgraph.hpp): until something asks for their
  // end, or the region's. A taskwait does not forget it.
  GraphSlot* pipeline = nullptr;
  LoopState loop;
  std::uint64_t singles_met = 0;
  DataEnvironments environments;
  ToolView tool;
  YieldTurns yields;
  bool has_left_watch = false;  // and not handed it on (wait.hpp)
  bool has_left_tasks = false;  // that it may not start, in its last look

  // -- what it does as a creator of tasks
  Reasons reasons;                // to queue what it creates; a team adds to it
  SpawnPolicy<TickClock> policy;  // of the tasks that it creates
  std::size_t hold_at = 0;        // bytes of tasks with which it looks at the throttle (throttle.hpp)
  std::int64_t made_ready_by_poller = kNothing;  // where its deque ended before a poller made tasks ready
  Task* spare_undeferred = nullptr;              // of tasks that did (undeferred.hpp)
  std::unique_ptr<DependenceTable> spare_table;  // for the next task here that creates dependent children
  ClauseRequests requests;
  Completions completions;  // of tasks that it has executed
  TaskLengthVote lengths;   // of the tasks it ran

  // -- read by others: in barriers, by the thread that lets a suspended task go on, by reports
  alignas(kCacheLine) TaskCounts<> tasks;
  SuspendedTasks suspended;                 // what has left this place; others push there
  Published<WaitInPlace*> waits{nullptr};   // that have begun here: for reports
  std::unique_ptr<ExternalState> external;  // of its implicit task, once asked for
  // As in a cache: what other threads count of it is not on the line that its own thread writes.
  alignas(kCacheLine) std::array<std::byte, MemoryCache::kOffset> before_implicit_task{};
  ImplicitTask implicit_task;
};

/// Where a team stands in the league of a teams construct (OpenMP 5.2, section 10.2).
struct League {
  int size = 1;
  int number = 0;
};

struct Team {
  explicit Team(int places);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  const int places;
  int size = 1;
  int level = 0;                    // enclosing parallel regions, serialised ones included
  int active_level = 0;             // of those with more than one thread
  Published<Member*> encountering;  // the member that forked; null for a thread's initial team
  // The place that the worker had left for the spawn place in which this region began; of a spawn place's own
  // team, the one that it has left now.
  Published<Member*> visitor{nullptr};
  RegionStart start;  // the primary thread's: the others have copies
  DataEnvironment environment;
  ContentionGroup own_contention_group;  // of an initial thread's team
  ContentionGroup* contention_group = &own_contention_group;
  int threads_taken = 0;  // from it, for this region
  int attached = 0;       // workers serving this team besides the master
  League league;
  Placement placement;  // where its threads are
  std::vector<int>
      num_threads_list;  // nthreads-var: this level's element first; empty where there is no list

  ThreadsInside<> still_attached;  // workers, while the team is dismissed

  // What no region changes. order: null: the runtime's own; see sched/chosen_order.hpp.
  alignas(kCacheLine) const std::unique_ptr<TeamOrder> order;
  RegionOpening<> opening;

  TreeBarrier<> barrier;
  Quiescence<> quiescence;
  RelaxedAtomic<bool> has_tasks{false};  // a task was created in this region
  OutsideCount<> finished_outside;       // tasks completed by threads outside the team
  ThreadsInside<> visitors;              // threads of other teams that are touching the team

  // Cancellation (cancellation.hpp). Cancellable barriers have a tree of their own:
  // threads that leave a cancelled one go to the end of the region, whose barrier must not mistake them for
  // arrivals at this.
  TreeBarrier<> cancellable_barrier;
  Published<bool> is_cancelled{false};                         // the parallel region
  Published<std::uint64_t> cancelled_workshare{kNoWorkshare};  // the last one that was (workshare_number())
  RelaxedAtomic<bool> discards_tasks{false};  // some task of this region may have to be discarded

  ShortTaskVote short_tasks;  // of its tasks' lengths
  RelaxedAtomic<RegionOpening<>::Seen> let_others_come{
      0};                                 // `opening` of the last region that did (taskloop.cpp)
  RelaxedAtomic<int> last_replayer{-1};   // the member that began the last execution of a graph
  RelaxedAtomic<int> latency_waiters{0};  // members that wait for latency and find nothing (task_wait.hpp)

  EventCount<> gate;  // for waits within a construct (gate.hpp)

  alignas(kCacheLine) RelaxedAtomic<std::uint64_t> singles_claimed{0};
  Published<void*> broadcast{nullptr};  // copyprivate: the data of the thread that executed the single

  Homes homes;  // where tasks find their data
  ReadySet ready;
  Parking<> parking;
  Watch<> watch;
  std::array<Workshare, Workshare::kRing> workshares;
  std::vector<Member> members;

  static constexpr std::uint64_t kNoWorkshare = ~std::uint64_t{0};

  ompt_data_t tool_data = ompt_data_none;  // a tool's, of this region
  const void* tool_where = nullptr;        // what the region's entry point returns to
  int tool_flags = 0;                      // ompt_parallel_flag_t

  /// Whether it is one of a league's teams.
  bool is_league() const { return encountering.seen() != nullptr && level == 0; }

  /// Explicit tasks created, and those of them that are complete, since the team was made.
  std::uint64_t created() const;
  std::uint64_t finished() const;

  /// Gives a reason to all members, or takes it from them.
  void add_reason(Reason reason);
  void remove_reason(Reason reason);

  /// All explicit tasks complete? For a team of one; members of others report (team/quiescence.hpp).
  bool is_quiescent() const;
};

/// Whether the member has a part in the region that its team executes now. One may have none: a region of
/// fewer threads, or one that the member has not joined yet, goes on while the member still leaves the
/// barrier of the last, or waits for its next and polls meanwhile. Nobody looks in its queue then. A thread
/// that took or received a task of a later region sees that it is late.
inline bool takes_part(const Member& me) {
  if (me.number == 0) return true;
  const RegionOpening<>::Seen opening = me.team->opening.last();
  return opening == me.seen_opening && me.number < RegionOpening<>::size_of(opening);
}

/// What holds for all teams.
extern constinit Reasons g_reasons;

/// What OMP_DISPLAY_AFFINITY compares from region to region.
struct DisplayedRegion {
  int level = 0;
  int size = 0;
  Placement placement;
  bool operator==(const DisplayedRegion&) const = default;
};

struct Worker {
  explicit Worker(int id);
  const int id;                      // unique in the process: LLVM's global thread number
  RelaxedAtomic<long> native_id{0};  // the kernel's number of its thread: for reports
  Published<Member*> member;         // the innermost place it acts in
  MemoryCache cache;
  StackPool stacks;
  Departure departure;                       // suspension.cpp
  ContinuationEvent* free_events = nullptr;  // continuation.hpp
  std::unique_ptr<Team> initial_team;  // of one: for code outside parallel regions; null for our own threads
  std::unique_ptr<Team> spawn_team;    // of one: where it executes spawned tasks; made at the first
  std::vector<std::unique_ptr<Team>> hot;  // by the number of regions this worker is master of
  int mastered = 0;                        // regions it is master of now
  int bound_to = kNoPlace;                 // the place its thread was last bound to
  DisplayedRegion displayed;               // the last region it was master of, where affinity is displayed
  Assignment<Member> assignment;           // a place to serve, given by a master
  Worker* next_idle = nullptr;
  // While a tool is active: its own, and what ompt_get_state() says outside of tasks. Touched by the worker's
  // thread.
  ompt_data_t tool_data = ompt_data_none;
  ompt_state_t tool_state = ompt_state_work_serial;
  bool tool_is_over = false;  // it knows that the thread has ended
};

/// The place in which a worker is as well while it acts in `place`: of the enclosing region, or the one that
/// it has left for a spawned task. nullptr where that is not sure: of the thread that forked only the primary
/// thread is.
inline Member* outer_place(const Member& place) {
  if (place.number != 0) return nullptr;
  Member* const encountering = place.team->encountering.seen();
  Member* const visitor = place.team->visitor.seen();
  if (encountering == nullptr) return visitor;
  // A thread that waits in a region of a spawned task executes other spawned tasks in the same spawn place.
  // That place is in the list already, nearer to what the thread does now; what it had left for it comes
  // next.
  return encountering->team->visitor.seen() == visitor ? encountering : visitor;
}

extern constinit thread_local Worker* t_worker [[gnu::tls_model("initial-exec")]];
Worker& adopt_thread();

/// The calling thread's worker, nullptr where it has none yet.
inline Worker* known_worker() {
  return of_this_thread(t_worker);
}

/// The calling thread's worker, made on first use.
inline Worker& this_worker() {
  Worker* const worker = known_worker();
  return worker != nullptr ? *worker : adopt_thread();
}

/// The calling thread's place in its innermost team. Cost: one thread-local load and one more.
[[gnu::always_inline]] inline Member& this_member() {
  return *this_worker().member;
}

/// The same, nullptr for a thread that has no worker yet.
inline Member* known_member() {
  const Worker* const worker = known_worker();
  return worker != nullptr ? worker->member.seen() : nullptr;
}

// The internal control variables of the current task (OpenMP 5.2, section 2.4; task/data_environment.hpp).

/// Gives the current task these internal control variables.
void set_environment(Member& me, const DataEnvironment& wanted);

/// Changes those of the current task: change(DataEnvironment&).
template <class Change>
void change_environment(Member& me, Change&& change);

/// Those of the current task.
const DataEnvironment& environment_of(const Member& me);

template <class Change>
void change_environment(Member& me, Change&& change) {
  DataEnvironment wanted = environment_of(me);
  change(wanted);
  set_environment(me, wanted);
}

}  // namespace heddle
