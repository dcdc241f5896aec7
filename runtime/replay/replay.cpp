#include "replay/replay.hpp"

#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "icv/settings.hpp"
#include "sched/limits.hpp"
#include "sys/machine.hpp"
#include "sys/processor.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/create.hpp"
#include "tasking/detach.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "trace/tool.hpp"

namespace heddle {

namespace {

// An edge is known by where it stands in the graph.
Dependence dependence_on(const Graph::SegmentIndex& edge, AccessKind kind) {
  return {const_cast<Graph::SegmentIndex*>(&edge), kind, false};
}

struct Incoming {
  Graph::SegmentIndex from;
  Dependence dependence;
};

std::vector<std::vector<Incoming>> incoming_edges(const Graph& graph) {
  std::vector<std::vector<Incoming>> result(graph.segments().size());
  for (Graph::SegmentIndex s = 0; s < result.size(); ++s)
    for (const Graph::SegmentIndex& to : graph.successors_of(s))
      result[to].push_back({s, dependence_on(to, AccessKind::kIn)});
  return result;
}

}  // namespace

void observe_tasks(Member& me, Replay& replay) {
  replay.make_tasks_ahead(*me.cache);
  const std::span<Task* const> tasks = replay.tasks_ahead();
  for (Task* const task : tasks) observe(&Observer::task_made, *task, Replay::code_of(*task));
  if (!has_tool()) return;
  const Graph& graph = replay.graph();
  const auto incoming = incoming_edges(graph);
  std::vector<Dependence> dependences;
  // In the order of their creation: a task comes before those that wait for it.
  for (Graph::SegmentIndex s = 0; s < tasks.size(); ++s) {
    dependences.clear();
    for (const Incoming& edge : incoming[s]) dependences.push_back(edge.dependence);
    for (const Graph::SegmentIndex& to : graph.successors_of(s))
      dependences.push_back(dependence_on(to, AccessKind::kOut));
    observe(&Observer::task_created, *tasks[s], {{}, dependences});
    for (const Incoming& edge : incoming[s])
      observe(&Observer::dependence_found, *tasks[edge.from], *tasks[s]);
  }
}

namespace {

// A node's body has returned.
void end_node(Member& me, Task& task) {
  if ((task.flags & Task::kHasExtensions) != 0) [[unlikely]]
    wait_for_events_of_node(me, task);
}

void execute_node(Member& me, const GraphNode& node) {
  if (node.is_join()) return;
  if (!node.kind->waits_for_descendants) return node.execute();
  taskgroup_begin(me);
  node.execute();
  taskgroup_end(me);
}

void execute_node(Member& me, const Graph&, const GraphNode& node) {
  execute_node(me, node);
}

void execute_measured_node(Member& me, const Graph& graph, const GraphNode& node) {
  const std::int64_t began = monotonic_ns();
  execute_node(me, node);
  NodeTime* const time = graph.time_of(node);
  if (time == nullptr) return;
  time->ns.fetch_add(static_cast<std::uint64_t>(monotonic_ns() - began));
  time->times.fetch_add(1);
}

// Takes the length of what is executed from a node on, if that is a sample.
class LengthSample {
 public:
  LengthSample(SampledLength& lengths, std::uint64_t first_node)
      : lengths_(lengths.is_sample(static_cast<std::uint32_t>(first_node)) ? &lengths : nullptr),
        began_(lengths_ != nullptr ? ticks() : 0) {}
  void end(std::uint64_t nodes) {
    if (lengths_ != nullptr) [[unlikely]]
      lengths_->add(nanoseconds(ticks() - began_), nodes);
  }

 private:
  SampledLength* const lengths_;
  const std::uint64_t began_;
};

using ExecuteNode = void(Member& me, const Graph& graph, const GraphNode& node);

// The rest of a segment behind a node of which something goes on: each node has a Task of its own.
template <ExecuteNode execute_one>
void execute_in_tasks_of_their_own(Member& me, const Graph& graph, std::span<const GraphNode> nodes) {
  for (const GraphNode& node : nodes) {
    Task& task = new_task(me, 0, 0);
    begin_undeferred(me, task, {});
    execute_one(me, graph, node);
    end_undeferred(me, task);
  }
}

template <ExecuteNode execute_one>
void execute_nodes(Member& me, Task& task, const Graph& graph, std::span<const GraphNode> nodes) {
  const DataEnvironment* const environment = task.environment;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    execute_one(me, graph, nodes[i]);
    end_node(me, task);
    if (end_chunk(me, task, environment)) [[likely]]
      continue;
    return execute_in_tasks_of_their_own<execute_one>(me, graph, nodes.subspan(i + 1));
  }
}

// Executes nodes one after the other, as a Task that goes on from node to node while nothing of it does.
class Turn {
 public:
  explicit Turn(Member& me) : me_(me), group_(me.context.task->group) { me.context.task->group = &group_; }
  ~Turn() {
    end_task();
    wait_for_group(me_, group_);
    me_.context.task->group = group_.outer;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Has the nodes that come next executed by a Task with these flags.
  void prepare(unsigned flags) {
    if (task_ != nullptr && flags == flags_) return;
    end_task();
    begin_task(flags);
  }
  /// run(): the next node's body. Requires: prepare() was called.
  template <class Run>
  void execute(Run&& run) {
    run();
    end_node(me_, *task_);
    if (end_chunk(me_, *task_, environment_)) [[likely]]
      return;
    end_task();
    begin_task(flags_);
  }

 private:
  void begin_task(unsigned flags) {
    task_ = &new_task(me_, 0, flags);
    flags_ = flags;
    begin_undeferred(me_, *task_, {});
    environment_ = task_->environment;
  }
  void end_task() {
    if (task_ != nullptr) end_undeferred(me_, *std::exchange(task_, nullptr));
  }

  Member& me_;
  TaskGroup group_;
  Task* task_ = nullptr;
  unsigned flags_ = 0;
  const DataEnvironment* environment_ = nullptr;
};

template <ExecuteNode execute_one>
void replay_serially(Turn& turn, Member& me, const Graph& graph) {
  for (const GraphSegment& segment : graph.segments()) {
    turn.prepare(segment.flags);
    for (const GraphNode& node : graph.nodes_of(segment)) turn.execute([&] { execute_one(me, graph, node); });
  }
}

void replay_serially(Turn& turn, Member& me, const TaskLog& task_log) {
  task_log.for_each_run([&](const TaskLog::Run& run) {
    if (!run.is_task()) return;
    turn.prepare(run.flags());
    if (run.is_simple())
      run.for_each([&](const TaskLog::Entry& entry) { turn.execute([&] { entry.execute(); }); });
    else
      run.for_each(
          [&](const TaskLog::Entry& entry) { turn.execute([&] { execute_node(me, entry.node()); }); });
  });
}

// An execution has ended: what others could begin with while they were behind it is ordinary now.
[[gnu::noinline]] void promote_deferred(Member& me) {
  const auto is_deferred_no_more = [](const Task& task) {
    return Replay::of(task).iteration_distance() <= 0;
  };
  for (Task* next = me.team->ready.promote(is_deferred_no_more); next != nullptr;) {  // last in, first out
    Task& task = *std::exchange(next, next->next);
    task.priority = 0;
    make_ready(me, task);
  }
}

// One thread executes what is ready in the order of creation. From successor to successor it would come far
// in one corner of the data, and leave for last what a message to another rank waits for, with nothing to do
// while that is on its way.
bool is_in_order(const Member& me) {
  return me.team_size == 1 && !me.is_observed && me.team->order == nullptr && !is_oldest_first();
}

// Behind everything else where older executions go on.
void hand_out(Member& me, Task& task) {
  Replay& replay = Replay::of(task);
  if (is_in_order(me) && replay.may_be_ordered(task)) replay.order(task);
  const std::int32_t distance = replay.iteration_distance();
  if (distance <= 0 || task.priority != 0 || is_oldest_first()) [[likely]]
    return make_ready(me, task);
  task.priority = -distance;
  make_ready(me, task);
  if (replay.iteration_distance() <= 0) promote_deferred(me);
}

// Hands out the segments that waited for this one only. Returns a task for this member to go on with, or
// nullptr: of the same execution where there is one.
Task* release_successors(Member& me, Replay& replay, Graph::SegmentIndex segment) {
  Task* successor = nullptr;
  const bool wants_one = takes_successors(me) && !is_in_order(me);
  const auto release = [&](Replay& of, Graph::SegmentIndex released) {
    if (!of.release(released)) return;
    Task& next = of.make_task(released, *me.cache);
    if (!wants_one || !may_succeed(me, next)) return hand_out(me, next);
    if (successor != nullptr) hand_out(me, *successor);
    successor = &next;
  };
  const Graph& graph = replay.graph();
  for (const Graph::SegmentIndex s : graph.carried_from(segment)) release(replay.next(), s);
  for (const Graph::SegmentIndex s : graph.successors_of(segment)) release(replay, s);
  if (replay.end(segment)) [[unlikely]]
    promote_deferred(me);
  return successor;
}

template <ExecuteNode execute_one>
std::uint64_t run_bundle_part(Member& me, const Taskloop& loop, Task& task, std::uint64_t first,
                              std::uint64_t last) {
  const auto& bundle = static_cast<const BundleLoop&>(loop);
  const Graph& graph = bundle.replay->graph();
  LengthSample sample(bundle.replay->lengths, graph.segments()[bundle.segment].first_node + first);
  const std::uint64_t end = run_chunks(me, task, first, last, [&](std::uint64_t node) {
    execute_one(me, graph, bundle.nodes[node]);
    end_node(me, task);
  });
  sample.end(end - first);
  return end;
}

// The thread that ends the last part of a bundle.
void end_bundle(Member& me, Taskloop& loop) {
  const auto& bundle = static_cast<const BundleLoop&>(loop);
  if (Task* const successor = release_successors(me, *bundle.replay, bundle.segment))
    make_ready(me, *successor);
}

}  // namespace

Replay::Replay(const Graph& graph, bool is_first)
    : lengths(static_cast<std::uint32_t>(graph.nodes().size())),
      graph_(graph),
      pending_(new CountDown<>[graph.segments().size()]),
      bundles_(graph.bundles() > 0 ? std::make_unique<BundleLoop[]>(graph.bundles()) : nullptr) {
  // Predecessors in an execution before: the first has none.
  std::vector<std::uint32_t> not_there(is_first ? tasks() : 0);
  for (Graph::SegmentIndex s = 0; s < not_there.size(); ++s)
    for (const Graph::SegmentIndex to : graph.carried_from(s)) ++not_there[to];
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) {
    const GraphSegment& segment = graph.segments()[s];
    pending_[s].reset(segment.awaits - (is_first ? not_there[s] : 0));
    if (segment.is_bundle()) prepare_bundle(segment, s);
  }
}

void Replay::prepare_bundle(const GraphSegment& segment, Graph::SegmentIndex index) {
  BundleLoop& bundle = bundles_[segment.bundle];
  bundle.replay = this;
  bundle.segment = index;
  bundle.nodes = graph_.nodes_of(segment).data();
  bundle.chunks = segment.nodes;
  bundle.flags = segment.flags;
  bundle.priority = segment.priority;
  bundle.prepare = [](const Taskloop&, Task&) {};
  bundle.run =
      graph_.is_measured() ? &run_bundle_part<execute_measured_node> : &run_bundle_part<execute_node>;
  bundle.release = end_bundle;
}

TaskGroup& Replay::begin(Task& parent, TaskGroup* counts_too) {
  ahead_.clear();
  is_observed_ = false;
  TaskGroup& group = group_.emplace(parent.group, counts_too);
  inherited_ = Task::Inherited(parent, &group);
  if (ring_ != nullptr) number_.store(ring_->begin());
  for (const auto& [segment, event] : graph_.detachables()) event->expect();
  return group;
}

void Replay::make_tasks_ahead(MemoryCache& cache) {
  is_observed_ = has_tool();
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) ahead_.push_back(&new_task(s, cache));
}

void Replay::execute(Task& task) {
  Member& me = this_member();
  if (SegmentTask& it = task.as<SegmentTask>(); it.takes_first) {
    it.segment = in_order_.top();
    in_order_.pop();
  }
  const GraphSegment& segment = graph().segments()[segment_of(task)];
  if (segment.is_bundle()) {
    BundleLoop& bundle = bundles_[segment.bundle];
    bundle.users.reset(1);
    share_taskloop(me, bundle);
    task.released = nullptr;  // the thread that ends the bundle hands it out
    return;
  }
  LengthSample sample(lengths, segment.first_node);
  const auto execute_all =
      graph().is_measured() ? execute_nodes<execute_measured_node> : execute_nodes<execute_node>;
  execute_all(me, task, graph(), graph().nodes_of(segment));
  sample.end(segment.nodes);
  if (task.is_detachable()) return;  // what waits for it waits for its event: complete.cpp
  // A tool learns that it is complete before those that wait for it begin.
  task.released = is_observed() ? &task : release_successors(me, *this, segment_of(task));
}

void replay_serially(Member& me, const Record& record) {
  Turn turn(me);
  const Graph* const graph = record.graph();
  if (graph != nullptr && graph->is_measured())
    replay_serially<execute_measured_node>(turn, me, *graph);
  else if (record.task_log() != nullptr)
    replay_serially(turn, me, *record.task_log());
  else
    replay_serially<execute_node>(turn, me, *graph);
}

namespace {

// So that each has some at once, and is awake. What an explicit task waits for stays where it finds it
// (sched/ready_set.hpp); and so does what several implicit tasks wait for, each of which starts only
// its own.
bool deals_roots(const Member& me, const Replay& replay) {
  Team& team = *me.team;
  const bool is_only_one = team.last_replayer.load() == me.number;
  if (!is_only_one) team.last_replayer.store(me.number);
  return is_only_one && replay.graph().roots().size() >= static_cast<std::size_t>(me.team_size) &&
         me.team_size > 1 && me.context.task->is_implicit() && team.parking.announced() == 0 &&
         team.order == nullptr && !is_oldest_first() && replay.iteration_distance() <= 0;
}

// Queues the others' roots: neighbours, in the order of their creation, for the same member, and the same in
// each execution, as long as nobody else takes them. Returns the caller's, which come last: others would take
// them meanwhile.
std::span<const Graph::SegmentIndex> deal_roots(Member& me, Replay& replay) {
  const auto roots = replay.graph().roots();
  const auto members = static_cast<std::size_t>(me.team_size);
  const auto own = static_cast<std::size_t>(me.number);
  const auto of = [&](std::size_t member) {
    const std::size_t first = member * roots.size() / members, end = (member + 1) * roots.size() / members;
    return roots.subspan(first, end - first);
  };
  for (std::size_t m = 0; m < members; ++m) {
    if (m == own) continue;
    Task* youngest = nullptr;
    Task* oldest = nullptr;
    std::uint32_t count = 0;
    for (const Graph::SegmentIndex s : of(m)) {
      if (!replay.release(s)) continue;
      Task& task = replay.make_task(s, *me.cache);
      if (task.priority != 0 || count == limits::kMostInInbox) {
        make_ready(me, task);
        continue;
      }
      task.next = std::exchange(youngest, &task);
      if (oldest == nullptr) oldest = &task;
      ++count;
    }
    if (count > 0) make_ready_for(me, static_cast<int>(m), *youngest, *oldest, count);
  }
  return of(own);
}

}  // namespace

void start(Member& me, Replay& replay, TaskGroup* counts_too) {
  Task& task = *me.context.task;
  if (replay.tasks() == 0) return;
  TaskGroup& group = replay.begin(task, counts_too);
  const auto count = static_cast<std::uint32_t>(replay.tasks());
  task.children_created(count);
  count_created(me, &group, count);
  if (me.is_observed) [[unlikely]]
    observe_tasks(me, replay);
  const auto roots = deals_roots(me, replay) ? deal_roots(me, replay) : replay.graph().roots();
  // Last in, first out: this member begins with the first one, others take from the end.
  for (const Graph::SegmentIndex s : std::views::reverse(roots)) {
    if (replay.release(s)) hand_out(me, replay.make_task(s, *me.cache));
  }
}

Task* release_successors(Task& task, MemoryCache& cache) {
  Replay& replay = Replay::of(task);
  Task* released = nullptr;
  for (const Graph::SegmentIndex s : replay.graph().successors_of(Replay::segment_of(task))) {
    if (!replay.release(s)) continue;
    Task& next = replay.make_task(s, cache);
    next.next = std::exchange(released, &next);
  }
  return released;
}

void wait_for(Member& me, Replay& replay) {
  if (TaskGroup* const group = replay.group()) wait_for_group(me, *group);
}

namespace {

bool is_on(Rule rule) {
  return (settings().rules_off & bit(rule)) == 0;
}

// As tasks would be executed at their creation. A tool observes each.
bool may_replay_serially(const Member& me, const Record& record) {
  return !has_tool() && record.may_be_replayed_serially() && may_replay_serially(me);
}

}  // namespace

static_assert(-static_cast<std::int32_t>(limits::kReplays) > Task::kBackground);  // what lags comes before

void ReplayPipeline::make_ring(const Member& me) {
  const Graph& graph = record_.graph(bundles_for(me));
  const std::size_t count = graph.overlaps() && is_on(Rule::kOverlap) ? limits::kReplays : 1;
  for (std::size_t i = 0; i < count; ++i) replays_.push_back(std::make_unique<Replay>(graph, i == 0));
  if (count == 1) return;
  for (std::size_t i = 0; i < count; ++i) replays_[i]->join(ring_, *replays_[(i + 1) % count]);
}

bool ReplayPipeline::needs_graph(const Member& me) const {
  return me.team_size > 1 && record_.graph() == nullptr && !choice_.begins_serially();
}

void ReplayPipeline::begin(Member& me, bool is_awaited) {
  if (me.team_size == 1 && may_replay_serially(me, record_)) {
    wait(me);
    return replay_serially(me, record_);
  }
  begin_shared(me, is_awaited);
}

Replay& ReplayPipeline::begin_shared(Member& me, bool is_awaited) {
  if (replays_.empty()) make_ring(me);
  Replay& replay = *replays_[ring_.begun() % replays_.size()];
  wait_for(me, replay);
  replay.lengths.begin_round();
  start(me, replay, is_awaited ? nullptr : me.context.task->group);
  return replay;
}

void ReplayPipeline::execute(Member& me) {
  if (!is_on(Rule::kSerialReplay) || !may_leave_unshared(me) || !may_replay_serially(me, record_)) {
    begin(me, true);
    return wait(me);
  }
  wait(me);
  const std::uint64_t began = ticks();
  if (choice_.prefers_serial(record_.tasks(), me.team_size)) {
    replay_serially(me, record_);
    return choice_.took_serially(nanoseconds(ticks() - began));
  }
  // That takes its time, and its tasks' memory is touched for the first time.
  const bool makes_graph = replays_.empty();
  Replay& replay = begin_shared(me, true);
  wait(me);
  if (!makes_graph) choice_.took_shared(nanoseconds(ticks() - began), replay.lengths.estimate());
}

void ReplayPipeline::wait(Member& me) {
  for (const auto& replay : replays_) wait_for(me, *replay);
}

}  // namespace heddle
