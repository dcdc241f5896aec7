// Enclave tasking: a primary traversal computes what others wait for and makes tasks of the rest, a secondary
// one collects them.
//
// Words: *traversals* are long tasks, one a partition; enclave tasks are short ones, one a patch or a batch.
//
// Invariant: between the primary traversals and the secondary ones all skeleton patches are complete; after
// the secondary ones all patches are.
//
// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, algorithms 1 and 2.
#include <heddle.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "program/range.hpp"
#include "wave/exec/classification.hpp"
#include "wave/exec/fulfil.hpp"
#include "wave/exec/held_patches.hpp"
#include "wave/exec/models.hpp"
#include "wave/exec/per_thread.hpp"
#include "wave/exec/ticket.hpp"

namespace heddle::wave {
namespace {

class Enclave final : public StepByStep {
 public:
  explicit Enclave(const EnclaveOptions& options)
      : options_(options),
        most_threads_(omp_get_max_threads()),
        held_(options.queue, most_threads_),
        mine_(most_threads_) {}

  void run(Engine& engine, Clock& clock) override {
    // The primary thread, since it talks to other ranks.
#pragma omp parallel num_threads(most_threads_)
#pragma omp masked
    {
      threads_ = omp_get_num_threads();
      // The traversals are on the critical path; with background tasks behind them nobody has to hold back.
      if (options_.strategy.is_background && heddle_is_here()) heddle_set_wait(heddle_wait_latency);
      StepByStep::run(engine, clock);
    }
  }

  [[nodiscard]] std::vector<Count> counts() override {
    return {{"skeleton_patches", sum_of(&Counters::skeletons)},
            {"enclave_patches", sum_of(&Counters::enclaves)},
            {"enclaves_by_tasks", sum_of(&Counters::by_task)},
            {"enclaves_by_idle_threads", sum_of(&Counters::by_idle)},
            {"enclaves_by_waiters", sum_of(&Counters::by_waiter)},
            {"batches", sum_of(&Counters::batches)},
            {"vain_looks", sum_of(&Counters::vain_looks)},
            {"suspended_waits", sum_of(&Counters::suspensions)},
            {"pending_after_primary", pending_},
            {"most_pending_after_primary", most_pending_, true}};
  }

 private:
  /// A count of one thread's that others may read meanwhile.
  class Tally {
   public:
    // relaxed: one writer, and readers want a number, not what led to it.
    void operator++() { value_.store(value() + 1, std::memory_order_relaxed); }
    [[nodiscard]] long long value() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<long long> value_{0};
  };
  struct Counters {
    Tally skeletons, enclaves, by_task, by_idle, by_waiter, batches, vain_looks, suspensions;
  };
  struct OfThread {
    double limit = std::numeric_limits<double>::infinity();
    Counters counters;
  };

  [[nodiscard]] int partitions() const { return static_cast<int>(begins_.size()) - 1; }
  [[nodiscard]] bool is_enclave(int patch) const { return reasons_[static_cast<std::size_t>(patch)] == 0; }
  [[nodiscard]] Ticket& ticket(int patch) { return tickets_[static_cast<std::size_t>(patch)]; }

  void mesh_begins(Engine& engine) override {
    engine_ = &engine;
    begins_ = cut_patches(engine.graph().patches(), options_.partitions, options_.cut);
    reasons_ = classify(engine.graph(), begins_);
    tickets_ = std::vector<Ticket>(reasons_.size());
    handles_.assign(reasons_.size(), nullptr);
    enclaves_.clear();
    first_enclave_ = {0};
    for (int part = 0; part < partitions(); ++part) {
      for (int patch = begins_[static_cast<std::size_t>(part)];
           patch < begins_[static_cast<std::size_t>(part) + 1]; ++patch) {
        if (is_enclave(patch)) enclaves_.push_back(patch);
      }
      first_enclave_.push_back(static_cast<int>(enclaves_.size()));
    }
  }

  double traverse(Engine& engine, const Step& step, Traversal traversal) override {
    step_ = step;
    traversal_ = traversal;
    // Of its own for each pair of traversals, and rising.
    number_ = 2 * step.number + (traversal == Traversal::completes ? 1 : 0);
    const Sent sent = sent_after(traversal, step);
    mine_.for_each([](OfThread& one) { one.limit = std::numeric_limits<double>::infinity(); });
    if (options_.wait == EnclaveWait::dependence) {
      make_dependent_tasks();
      primary();
      count_pending();
      engine.start_exchange(sent);
      collect_dependent_tasks();
    } else {
      primary();
      count_pending();
      // What other ranks need is skeleton, so that their messages travel while enclaves are computed.
      engine.start_exchange(sent);
      hand_over_held();
      secondary();
    }
    engine.finish_exchange(sent);
    has_exchanged();
    held_.clear();  // of those that waiters have computed without taking them
    double limit = std::numeric_limits<double>::infinity();
    mine_.for_each([&](const OfThread& one) { limit = std::min(limit, one.limit); });
    return limit;
  }

  // -- The primary traversals

  void primary() {
    const int tasks = options_.strategy.when_idle ? std::max(threads_, partitions()) : partitions();
    busy_.store(tasks, std::memory_order_relaxed);
    const auto count = static_cast<std::size_t>(tasks);  // unsigned: Clang counts taskloop iterations so
    if (options_.wait == EnclaveWait::dependence) {
      // Enclave tasks are this task's children here, as the traversals are: only these are waited for.
#pragma omp taskloop grainsize(1)
      for (std::size_t part = 0; part < count; ++part) traverse_part(static_cast<int>(part));
      return;
    }
#pragma omp taskloop nogroup grainsize(1)
    for (std::size_t part = 0; part < count; ++part) {
      if (static_cast<int>(part) < partitions()) traverse_part(static_cast<int>(part));
      if (options_.strategy.when_idle) backfill();
    }
#pragma omp taskwait
  }

  void traverse_part(int part) {
    const program::Range range("primary traversal");
    for (int patch = begins_[static_cast<std::size_t>(part)];
         patch < begins_[static_cast<std::size_t>(part) + 1]; ++patch) {
      if (!is_enclave(patch)) {
        execute_and_count(patch, &Counters::skeletons);
      } else if (options_.wait != EnclaveWait::dependence) {
        spawn(patch);
      }
    }
  }

  void execute_and_count(int patch, Tally Counters::* as) {
    const double limit = engine_->execute(traversal_, patch, step_, omp_get_thread_num());
    OfThread& mine = mine_.mine();
    mine.limit = std::min(mine.limit, limit);
    ++(mine.counters.*as);
  }

  void spawn(int patch) {
    const program::Range range("spawn an enclave");
    ticket(patch).open(number_);
    ++mine_.mine().counters.enclaves;
    const Strategy& strategy = options_.strategy;
    if (strategy.hold_limit > 0 && held_.put(patch, omp_get_thread_num(), strategy.hold_limit)) return;
    if (strategy.is_background && heddle_is_here()) {
      heddle_next_task_background();
      heddle_next_task_handle(&handles_[static_cast<std::size_t>(patch)]);
    }
    make_task(patch);
  }

  void make_task(int patch) {
    const int number = number_;
#pragma omp task firstprivate(patch, number)
    compute(patch, number, &Counters::by_task);
  }

  /// Claims the patch and computes it, unless somebody else has claimed it. Returns whether it did.
  bool compute(int patch, int number, Tally Counters::* as) {
    if (!ticket(patch).claim(number)) return false;
    const program::Range range("enclave");
    execute_and_count(patch, as);
    if (const std::uint64_t event = ticket(patch).finish(number); event != 0) fulfil(event);
    return true;
  }

  /// Algorithm 2: a thread whose traversal has ended computes held patches as long as others traverse.
  void backfill() {
    busy_.fetch_sub(1, std::memory_order_relaxed);
    const auto others_traverse = [this] {
      const int busy = busy_.load(std::memory_order_relaxed);
      return busy > 0 && busy < threads_;  // the second: or traversals that have not begun would wait for us
    };
    while (others_traverse()) {
      if (!compute_batch()) {
        ++mine_.mine().counters.vain_looks;
#pragma omp taskyield
      }
    }
  }

  bool compute_batch() {
    std::vector<int> batch;
    held_.take_batch(omp_get_thread_num(), options_.strategy.fuse_least, options_.strategy.fuse_most, batch);
    if (batch.empty()) return false;
    bool has_computed = false;
    for (const int patch : batch) has_computed |= compute(patch, number_, &Counters::by_idle);
    if (has_computed) ++mine_.mine().counters.batches;
    return true;
  }

  // -- Between the traversals

  [[nodiscard]] long long sum_of(Tally Counters::* which) {
    long long sum = 0;
    mine_.for_each([&](const OfThread& one) { sum += (one.counters.*which).value(); });
    return sum;
  }

  void count_pending() {
    const long long computed =
        sum_of(&Counters::by_task) + sum_of(&Counters::by_idle) + sum_of(&Counters::by_waiter);
    const long long pending = sum_of(&Counters::enclaves) - computed;
    pending_ += pending;
    most_pending_ = std::max(most_pending_, pending);
  }

  void hand_over_held() {
    const Strategy& strategy = options_.strategy;
    std::vector<int> batch;
    const int number = number_;
    while (strategy.at_end) {
      held_.take_batch(omp_get_thread_num(), strategy.fuse_least, strategy.fuse_most, batch);
      if (batch.empty()) break;
      ++mine_.mine().counters.batches;
#pragma omp task firstprivate(batch, number)
      for (const int patch : batch) compute(patch, number, &Counters::by_task);
    }
    while (strategy.rest_at_end) {
      const int patch = held_.take(omp_get_thread_num());
      if (patch < 0) break;
      make_task(patch);
    }
  }

  // -- The secondary traversals

  void secondary() {
    const auto count = static_cast<std::size_t>(partitions());
#pragma omp taskloop nogroup grainsize(1)
    for (std::size_t part = 0; part < count; ++part) {
      const program::Range range("secondary traversal");
      for (int n = first_enclave_[part + 1]; n-- > first_enclave_[part];)
        wait_for(enclaves_[static_cast<std::size_t>(n)]);
    }
#pragma omp taskwait
  }

  void wait_for(int patch) {
    Ticket& awaited = ticket(patch);
    if (awaited.is_done(number_)) {
      if (handles_[static_cast<std::size_t>(patch)] != nullptr) run_task(patch);
      return;
    }
    if (handles_[static_cast<std::size_t>(patch)] != nullptr && run_task(patch)) return;
    if (options_.wait == EnclaveWait::event) {
      compute(patch, number_, &Counters::by_waiter);
      suspend_until_done(awaited);
    } else {
      poll_until_done(awaited);
    }
  }

  /// Executes the patch's task now, if nobody has started it. Returns whether it did.
  bool run_task(int patch) {
    return heddle_run_task(&handles_[static_cast<std::size_t>(patch)]) == heddle_run_done;
  }

  /// The paper's wait: look, compute some held patch, yield, look again.
  void poll_until_done(const Ticket& awaited) {
    while (!awaited.is_done(number_)) {
      if (options_.strategy.hold_limit > 0) {
        const int other = held_.take(omp_get_thread_num());
        if (other >= 0) {
          compute(other, number_, &Counters::by_waiter);
          continue;
        }
      }
      ++mine_.mine().counters.vain_looks;
#pragma omp taskyield
    }
  }

  void suspend_until_done(Ticket& awaited) {
    if (awaited.is_done(number_)) return;
    const omp_event_handle_t event = omp_task_continuation_event();
    if (awaited.wait_by(number_, static_cast<std::uint64_t>(event))) {
      ++mine_.mine().counters.suspensions;
    } else {
      fulfil(static_cast<std::uint64_t>(event));
    }
    omp_taskwait_detach(event);
  }

  // -- Tasks that the runtime orders: all made by one thread, since dependences hold among siblings

  void make_dependent_tasks() {
    for (const int patch : enclaves_) {
      ticket(patch).open(number_);
      ++mine_.mine().counters.enclaves;
      if (options_.strategy.is_background && heddle_is_here()) heddle_next_task_background();
      const int number = number_;
      [[maybe_unused]] Ticket* const outcome = &ticket(patch);
#pragma omp task firstprivate(patch, number) depend(out : outcome[0])
      compute(patch, number, &Counters::by_task);
    }
  }

  /// All patches of the partition are done; one that is not would be counted.
  void collect(std::size_t part) {
    for (int n = first_enclave_[part]; n < first_enclave_[part + 1]; ++n) {
      const int patch = enclaves_[static_cast<std::size_t>(n)];
      if (!ticket(patch).is_done(number_)) ++mine_.mine().counters.vain_looks;
    }
  }

  void collect_dependent_tasks() {
    for (std::size_t part = 0; part < static_cast<std::size_t>(partitions()); ++part) {
      [[maybe_unused]] Ticket* const tickets = tickets_.data();
      const int* const mine = enclaves_.data() + first_enclave_[part];
      [[maybe_unused]] const int count = first_enclave_[part + 1] - first_enclave_[part];
      // The second clause: libomp 19 ends in an assertion where iterators are all that GCC has for it.
      [[maybe_unused]] const int* const begin = &begins_[part];
#pragma omp task firstprivate(part) depend(iterator(int n = 0 : count), in : tickets[mine[n]]) \
    depend(in : begin[0])
      collect(part);
    }
#pragma omp taskwait
  }

  EnclaveOptions options_;
  int most_threads_;
  int threads_ = 1;  // of the team, which may be smaller
  HeldPatches held_;
  PerThread<OfThread> mine_;
  Engine* engine_ = nullptr;
  Step step_;
  Traversal traversal_ = Traversal::both;
  int number_ = 0;  // of this pair of traversals
  std::vector<int> begins_;
  std::vector<unsigned char> reasons_;
  std::vector<Ticket> tickets_;
  std::vector<heddle_task_t> handles_;
  std::vector<int> enclaves_;       // of all partitions, one after the other
  std::vector<int> first_enclave_;  // of each partition, and the end
  std::atomic<int> busy_{0};
  long long pending_ = 0, most_pending_ = 0;
};

}  // namespace

std::unique_ptr<Model> make_enclave(const EnclaveOptions& options) {
  return std::make_unique<Enclave>(options);
}

}  // namespace heddle::wave
