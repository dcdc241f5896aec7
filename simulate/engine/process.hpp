// One process: a team of simulated threads that execute its workload under a runtime's rules.
//
// libheddle's ready set and its policy of where tasks go are its own code (runtime/sched), and so are the
// dependence tables of all (runtime/deps); what is simulated is time: that of the program's work, from the
// workload, and that of the runtime's own, from Costs. Left out: priorities, suspension. Helping, cutoffs and
// serial creation are libheddle's: only its rules begin them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/sched/lengths.hpp"
#include "simulate/engine/data_homes.hpp"
#include "simulate/engine/event.hpp"
#include "simulate/engine/locks.hpp"
#include "simulate/engine/loops.hpp"
#include "simulate/engine/messages.hpp"
#include "simulate/engine/outcome.hpp"
#include "simulate/engine/runtime_rules.hpp"
#include "simulate/engine/setting.hpp"
#include "simulate/engine/simulated_task.hpp"
#include "simulate/engine/task_memory.hpp"
#include "simulate/engine/worker.hpp"
#include "simulate/time/clock.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// What the processes of a simulation have in common.
struct World {
  const Workload& workload;
  const Setting& setting;
  Agenda<Event>& agenda;
  Messages& messages;
};

class Process final : MessageOwner {
 public:
  /// number: in the workload.
  /// timeline: null where nobody wants it.
  Process(const World& world, int number, Timeline* timeline);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() = default;

  /// Its main thread begins.
  void start();
  /// What was planned for this worker happens.
  void step(int worker);
  /// This worker takes what anybody has, unless it has found something since then.
  void look_again(int worker, Time waits_since);

  [[nodiscard]] bool is_over() const { return workers_[0]->frames.empty() && outstanding_ == 0; }
  /// Its part of what was found, added at the end. Requires: it is over.
  void tell(Outcome& whole);
  [[nodiscard]] Time ended_at() const { return ended_at_; }

 private:
  // -- time

  void plan(SimulatedWorker& worker, Time after);
  // The worker goes on when this is done.
  void spend(SimulatedWorker& worker, double ns);
  void spend_until(SimulatedWorker& worker, Time at);
  void compute(SimulatedWorker& worker, double ns);
  void note(const SimulatedWorker& worker, Time begin, Time end, bool is_of_runtime);
  void record_task(const SimulatedWorker& worker, SimulatedTask& task, std::int64_t creator);

  // -- waiting and waking

  void rest(SimulatedWorker& worker);
  // What a thread that waits sees how late; what waking it costs the caller is returned.
  double rouse(SimulatedWorker& worker);
  // Some thread that waits looks for what has become ready. first: who is asked first. task: what it is,
  // where it is known.
  double rouse_one(int first, const Task* task = nullptr);
  // The first from that one on, of those who wait and may execute, for whom this holds.
  template <class IsWorthIt>
  double rouse_first(int first, IsWorthIt&& is_worth_it);
  static bool may_execute(const SimulatedWorker& worker);
  // Who should execute it: this worker where nobody is known.
  [[nodiscard]] int home_of(const SimulatedWorker& worker, const Task& task) const;
  double make_ready(SimulatedWorker& worker, Task& task);
  [[nodiscard]] bool is_over(const SimulatedWorker& worker, const Frame& frame) const;
  StartRule rule_of(const SimulatedWorker& worker) const;

  // -- a worker's next step

  void go_on(SimulatedWorker& worker);
  void end_wait(SimulatedWorker& worker);
  void wait(SimulatedWorker& worker, Waits waits);
  void look(SimulatedWorker& worker);
  // What a creator does that waits for serial creation to begin and finds no task.
  void have_patience(SimulatedWorker& worker);
  // Begins a ready task. Returns whether there was one.
  bool find(SimulatedWorker& worker, Reach reach = Reach::kStartable);
  void begin(SimulatedWorker& worker, SimulatedTask& task, bool is_inline);
  void advance(SimulatedWorker& worker);
  // Returns whether the worker is planned, waits or is over; otherwise it goes on at once.
  bool execute(SimulatedWorker& worker, Step step);
  // Returns whether there was anything to do for this thread.
  bool loop(SimulatedWorker& worker, const LoopText& text, std::int64_t number, const Cursor& here);

  // -- tasks

  void create(SimulatedWorker& worker, const TaskText& text, TaskloopPart part = {});
  // A new task, counted.
  SimulatedTask& add(const SimulatedWorker& worker, SimulatedTask& parent, const TaskText& text,
                     TaskloopPart part);
  // What the creator does next, its task queued.
  void publish(SimulatedWorker& worker, double cost);
  void execute_inline(SimulatedWorker& worker, SimulatedTask& task, double cost, bool is_serial = false);
  void end(SimulatedWorker& worker);
  // Returns who is executed next by the same worker.
  SimulatedTask* complete(SimulatedWorker& worker, SimulatedTask& task, double* cost);

  // -- taskloops

  // is_waited_for: who meets it begins to execute it. Returns whether the worker is planned.
  bool begin_taskloop(SimulatedWorker& worker, const Script& script, bool is_waited_for);
  static Cursor cursor_of(const TaskloopPart& part);
  // A task that creates the second half of what is left of a taskloop.
  void halve(SimulatedWorker& worker);
  // The next chunk of a range, or its end: then the worker is not planned, and false is returned.
  bool run_range(SimulatedWorker& worker);
  // What the worker's range has left, which is something, is for others. Returns what that costs.
  double hand_on_rest(SimulatedWorker& worker);
  // Chunks [begin, end) of the worker's range become others. Return what that costs.
  double hand_on(SimulatedWorker& worker, std::size_t begin, std::size_t end);
  double offer(SimulatedWorker& worker, std::size_t begin, std::size_t end);

  // -- messages

  void message_done(Posting& posting) override;
  // The thread stands in MPI until it is complete.
  void await(SimulatedWorker& worker, const PostingHandle& posting);
  // Completes the tasks that have returned and whose messages are complete. Returns what that costs.
  double poll(SimulatedWorker& worker);

  // -- regions

  void open(SimulatedWorker& worker, const RegionText& region);
  void arrive(SimulatedWorker& worker, int threads);
  void pass_barrier();
  void end_implicit(SimulatedWorker& worker, SimulatedTask& task);

  const Workload& workload_;
  const ProcessText& text_;
  const int number_;
  const Costs costs_;
  Timeline* const timeline_;  // or null
  Agenda<Event>& agenda_;
  Messages& messages_;
  std::vector<PostingHandle> posted_;     // the latest, by message
  const bool binds_;                      // some task does
  std::vector<SimulatedTask*> returned_;  // have returned, and their messages are complete
  DataHomes homes_;
  const std::unique_ptr<RuntimeRules> rules_;
  TaskText part_{};  // of a taskloop
  TaskMemory memory_;
  std::vector<std::unique_ptr<SimulatedWorker>> workers_;
  std::vector<std::unique_ptr<SimulatedTask>> implicit_;
  SimulatedTask implicit_of_main_;
  int size_ = 1;  // of the team
  std::int64_t outstanding_ = 0;
  int arrived_ = 0, ended_ = 0;
  std::int64_t barriers_ = 0, singles_done_ = 0;
  std::vector<std::int64_t> passed_, singles_met_;  // by worker
  SharedLine barrier_line_, loop_line_;
  Locks locks_;
  LoopsHandedOut handed_out_;
  ShortTaskVote short_tasks_;
  Time ended_at_ = 0;
  Outcome outcome_;
};

}  // namespace heddle::simulate
