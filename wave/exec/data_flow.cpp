// Data flow: two tasks a patch and step, its residual and its update, which the patches around it order, and
// one task a step that finds the next time step.
//
// Words: of each step *ahead* the residuals may begin before the step's length is known: they wait for the
// patches around them alone. Updates wait for the length.
//
// Invariant: a residual of step k reads copy k % 2 of a patch and those around it, and writes copy 1 - k % 2
// of the patch; what another step has read or written there has been ordered before by the same dependences.
#include <heddle.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "wave/exec/models.hpp"

namespace heddle::wave {
namespace {

class DataFlow final : public Model {
 public:
  explicit DataFlow(bool is_recorded) : is_recorded_(is_recorded) {}

  void run(Engine& engine, Clock& clock) override {
    begin_mesh(engine, clock);
#pragma omp parallel
#pragma omp single
    {
      if (is_recorded_ && heddle_is_here()) {
        create_recorded_steps();
      } else {
        create_steps();
      }
    }
    // The last step is complete now, and nobody has said so where no other was created after it.
    (void)clock.next(least_limit());
  }

 private:
  // Of the next step of one parity: what its residuals need to know before its length is known.
  struct Planned {
    bool exists = false;
    double begin = 0.0;
    std::optional<Step> step;  // once its length is known
  };

  void begin_mesh(Engine& engine, Clock& clock) {
    const int patches = engine.patches();
    if (engine_ != &engine || engine.mesh_number() != mesh_number_ || clock.copy() != first_copy_)
      must_record_ = true;
    engine_ = &engine;
    clock_ = &clock;
    mesh_number_ = engine.mesh_number();
    first_copy_ = clock.copy();
    limits_.assign(static_cast<std::size_t>(patches), clock.limit());
    for (auto& copy : states_) copy.resize(static_cast<std::size_t>(patches));
    is_over_.store(false, std::memory_order_relaxed);
    planned_[0] = {clock.left() > 0, clock.time(), std::nullopt};
    planned_[1] = {};
  }

  void create_steps() {
    for (int k = 0; !is_over_.load(std::memory_order_relaxed); ++k) {
      [[maybe_unused]] char* const slot = &slots_[static_cast<std::size_t>(k % 2)];
      // Two steps ahead, no more: when this step's predecessor but one has its length.
#pragma omp taskwait depend(in : slot[0])
      create_step(k % 2);
    }
#pragma omp taskwait
  }

  void create_recorded_steps() {
    while (!is_over_.load(std::memory_order_relaxed)) {
      const bool is_new = must_record_;
      must_record_ = false;
      HEDDLE_TASKGRAPH(.graph_reset = is_new, .nogroup = 1) {
        create_step(0);
        create_step(1);
      }
    }
#pragma omp taskwait
  }

  /// parity: of the step's number in this run.
  void create_step(int parity) {
    const auto here = static_cast<std::size_t>((first_copy_ + parity) % 2);
    [[maybe_unused]] char *const current = states_[here].data(), *const next = states_[1 - here].data();
    [[maybe_unused]] char *const slot = &slots_[static_cast<std::size_t>(parity)],
                                 *const next_slot = &slots_[static_cast<std::size_t>(1 - parity)];
#pragma omp task firstprivate(parity) depend(inout : slot[0])
    find_length(parity);
    for (int patch = 0; patch < engine_->patches(); ++patch) {
      const std::span<const int> around = engine_->surroundings(patch).neighbours;
      [[maybe_unused]] const int* const neighbours = around.data();
      [[maybe_unused]] const auto count = static_cast<int>(around.size());
#pragma omp task firstprivate(patch, parity) depend(in : current[patch]) \
    depend(iterator(int n = 0 : count), in : current[neighbours[n]]) depend(out : next[patch])
      find_residual(patch, parity);
#pragma omp task firstprivate(patch, parity) depend(inout : next[patch]) depend(in : slot[0], next_slot[0])
      update(patch, parity);
    }
  }

  void find_length(int parity) {
    Planned& now = planned_[static_cast<std::size_t>(parity)];
    Planned& after = planned_[static_cast<std::size_t>(1 - parity)];
    now.step = clock_->next(least_limit());
    if (!now.step) {
      after = {};
      is_over_.store(true, std::memory_order_relaxed);
      return;
    }
    const double end = now.step->begin + now.step->length;
    after = {clock_->left() > 0 && end < clock_->end(), end, std::nullopt};
    if (!after.exists) is_over_.store(true, std::memory_order_relaxed);
  }

  [[nodiscard]] double least_limit() const { return *std::min_element(limits_.begin(), limits_.end()); }

  void find_residual(int patch, int parity) {
    const Planned& planned = planned_[static_cast<std::size_t>(parity)];
    if (!planned.exists) return;
    Step step;
    step.copy = (first_copy_ + parity) % 2;
    step.begin = planned.begin;
    engine_->find_residual(patch, step, omp_get_thread_num());
  }

  void update(int patch, int parity) {
    const std::optional<Step>& step = planned_[static_cast<std::size_t>(parity)].step;
    if (!step) return;
    limits_[static_cast<std::size_t>(patch)] = engine_->update(patch, *step, omp_get_thread_num());
  }

  bool is_recorded_;
  Engine* engine_ = nullptr;
  Clock* clock_ = nullptr;
  int mesh_number_ = 0;
  int first_copy_ = 0;
  bool must_record_ = true;
  std::vector<double> limits_;  // that each patch's newest state allows
  std::array<Planned, 2> planned_;
  std::atomic<bool> is_over_{false};
  // What dependences name: each patch's copies, and the lengths of two steps in turn.
  std::array<std::vector<char>, 2> states_;
  std::array<char, 2> slots_{};
};

}  // namespace

std::unique_ptr<Model> make_data_flow(bool is_recorded) {
  return std::make_unique<DataFlow>(is_recorded);
}

}  // namespace heddle::wave
