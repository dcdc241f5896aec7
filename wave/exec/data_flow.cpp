// Data flow: two tasks a patch and step, which prepare and complete it, and which the patches around it
// order; one task a step that finds the next time step; and, with other ranks, tasks that complete with their
// messages.
//
// Words: of each step *ahead* patches may be prepared before the step's length is known: they wait for the
// patches around them alone. Completing waits for the length.
//
// Invariant: preparing in step k reads copy k % 2 of a patch and those around it, and writes copy 1 - k % 2
// of the patch; what another step has read or written there has been ordered before by the same dependences.
// Which steps exist follows from the clock, which is the same on every rank: so do messages and reductions,
// however many steps a rank has created tasks for.
#include <heddle.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "exchange/tags.hpp"
#include "program/range.hpp"
#include "wave/exec/fulfil.hpp"
#include "wave/exec/models.hpp"

namespace heddle::wave {
namespace {

class DataFlow final : public Model {
 public:
  explicit DataFlow(bool is_recorded) : is_recorded_(is_recorded) {}

  [[nodiscard]] bool sends_from_any_thread() const override { return true; }

  void run(Engine& engine, Clock& clock) override {
    begin_mesh(engine, clock);
    const Sent first{Sent::What::states, first_copy_};
    engine.start_exchange(first);
    engine.finish_exchange(first);
#pragma omp parallel
#pragma omp single
    {
      if (is_recorded_ && heddle_is_here()) {
        create_recorded_steps();
      } else {
        create_steps();
      }
    }
    // The last step is complete now, and nobody has said so.
    (void)clock.next(engine.least(least_limit()));
  }

 private:
  // Of the next step of one parity: what preparing needs to know before its length is known.
  struct Planned {
    bool exists = false;  // unless the state turns out to allow none: then step stays empty
    double begin = 0.0;
    std::optional<Step> step;  // once its length is known
  };

  [[nodiscard]] const PatchGraph& graph() const { return engine_->graph(); }

  void begin_mesh(Engine& engine, Clock& clock) {
    const int patches = engine.graph().patches();
    if (engine.mesh_number() != mesh_number_ || clock.copy() != first_copy_) must_record_ = true;
    engine_ = &engine;
    clock_ = &clock;
    mesh_number_ = engine.mesh_number();
    first_copy_ = clock.copy();
    limits_.assign(static_cast<std::size_t>(patches), clock.limit());
    for (auto& copy : states_) copy.resize(static_cast<std::size_t>(patches));
    faces_.resize(static_cast<std::size_t>(patches));
    for (auto* buffers : {&received_[0], &received_[1], &sent_[0], &sent_[1], &received_faces_, &sent_faces_})
      buffers->resize(static_cast<std::size_t>(engine.graph().messages()));
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
      // Tasks with events are not recorded where executions overlap.
      HEDDLE_TASKGRAPH(.graph_id = reinterpret_cast<unsigned long>(this), .graph_reset = is_new,
                       .nogroup = !engine_->has_other_ranks()) {
        create_step(0);
        create_step(1);
      }
    }
#pragma omp taskwait
  }

  /// parity: of the step's number in this run.
  void create_step(int parity) {
    [[maybe_unused]] char *const slot = &slots_[static_cast<std::size_t>(parity)],
                                 *const next_slot = &slots_[static_cast<std::size_t>(1 - parity)];
    if (engine_->has_other_ranks()) {
      omp_event_handle_t event{};
#pragma omp task firstprivate(parity) depend(inout : slot[0]) depend(in : next_slot[0]) detach(event)
      reduce_limit(parity, event);
    }
    // next_slot: also where this rank has no patches, whose completion would order one length after the
    // other.
#pragma omp task firstprivate(parity) depend(inout : slot[0]) depend(in : next_slot[0])
    find_length(parity);
    if (!engine_->completing_reads_around()) {
      for (int patch = 0; patch < graph().patches(); ++patch) {
        create_preparing_task(patch, parity);
        create_completing_task(patch, parity);
      }
    } else {
      for (int patch = 0; patch < graph().patches(); ++patch) create_preparing_task(patch, parity);
      for (int m = 0; m < graph().messages(); ++m) exchange_faces(m, parity);
      for (int patch = 0; patch < graph().patches(); ++patch) create_completing_task(patch, parity);
    }
    for (int m = 0; m < graph().messages(); ++m) exchange_states(m, parity);
  }

  void create_preparing_task(int patch, int parity) {
    const auto here = static_cast<std::size_t>((first_copy_ + parity) % 2);
    [[maybe_unused]] char *const current = states_[here].data(), *const next = states_[1 - here].data();
    [[maybe_unused]] char *const received = received_[here].data(), *const faces = faces_.data();
    const Surroundings around = graph().surroundings(patch);
    [[maybe_unused]] const int* const neighbours = around.neighbours.data();
    [[maybe_unused]] const auto count = static_cast<int>(around.neighbours.size());
    [[maybe_unused]] const int* const messages = around.messages.data();
    [[maybe_unused]] const auto from = static_cast<int>(around.messages.size());
    [[maybe_unused]] const int has_faces = engine_->completing_reads_around() ? 1 : 0;
#pragma omp task firstprivate(patch, parity) depend(in : current[patch]) \
    depend(iterator(int n = 0 : count), in : current[neighbours[n]])     \
    depend(iterator(int n = 0 : from), in : received[messages[n]])       \
    depend(iterator(int n = 0 : has_faces), out : faces[patch + n]) depend(out : next[patch])
    prepare(patch, parity);
  }

  void create_completing_task(int patch, int parity) {
    const auto here = static_cast<std::size_t>((first_copy_ + parity) % 2);
    [[maybe_unused]] char* const next = states_[1 - here].data();
    [[maybe_unused]] char *const faces = faces_.data(), *const received = received_faces_.data();
    [[maybe_unused]] char *const slot = &slots_[static_cast<std::size_t>(parity)],
                                 *const next_slot = &slots_[static_cast<std::size_t>(1 - parity)];
    Surroundings around;
    if (engine_->completing_reads_around()) around = graph().surroundings(patch);
    [[maybe_unused]] const int* const neighbours = around.neighbours.data();
    [[maybe_unused]] const auto count = static_cast<int>(around.neighbours.size());
    [[maybe_unused]] const int* const messages = around.messages.data();
    [[maybe_unused]] const auto from = static_cast<int>(around.messages.size());
#pragma omp task firstprivate(patch, parity) depend(inout : next[patch]) depend(in : slot[0], next_slot[0]) \
    depend(iterator(int n = 0 : count), in : faces[neighbours[n]])                                          \
    depend(iterator(int n = 0 : from), in : received[messages[n]])
    complete(patch, parity);
  }

  /// What completing needs of another rank, and it of this one.
  void exchange_faces(int m, int parity) {
    // Whether there is a step of this parity was said with the length of the one before.
    [[maybe_unused]] char* const slot = &slots_[static_cast<std::size_t>(1 - parity)];
    [[maybe_unused]] char *const into = &received_faces_[static_cast<std::size_t>(m)],
                                 *const out = &sent_faces_[static_cast<std::size_t>(m)];
    [[maybe_unused]] char* const faces = faces_.data();
    [[maybe_unused]] const int* const patches = graph().patches_of_message(m).data();
    [[maybe_unused]] const auto count = static_cast<int>(graph().patches_of_message(m).size());
    omp_event_handle_t received{}, sent{};
#pragma omp task firstprivate(m, parity) depend(in : slot[0]) depend(out : into[0]) detach(received)
    receive(m, Sent::What::face_states, parity, received);
#pragma omp task firstprivate(m, parity) depend(in : slot[0]) depend(out : out[0]) \
    depend(iterator(int n = 0 : count), in : faces[patches[n]]) detach(sent)
    send(m, Sent::What::face_states, parity, sent);
  }

  /// What preparing in the next step needs of another rank, and it of this one.
  void exchange_states(int m, int parity) {
    const int next = 1 - parity;
    const auto after = static_cast<std::size_t>((first_copy_ + next) % 2);
    [[maybe_unused]] char* const slot = &slots_[static_cast<std::size_t>(parity)];
    [[maybe_unused]] char *const into = &received_[after][static_cast<std::size_t>(m)],
                                 *const out = &sent_[after][static_cast<std::size_t>(m)];
    [[maybe_unused]] char* const states = states_[after].data();
    [[maybe_unused]] const int* const patches = graph().patches_of_message(m).data();
    [[maybe_unused]] const auto count = static_cast<int>(graph().patches_of_message(m).size());
    omp_event_handle_t received{}, sent{};
#pragma omp task firstprivate(m, next) depend(in : slot[0]) depend(out : into[0]) detach(received)
    receive(m, Sent::What::states, next, received);
#pragma omp task firstprivate(m, next) depend(in : slot[0]) depend(out : out[0]) \
    depend(iterator(int n = 0 : count), in : states[patches[n]]) detach(sent)
    send(m, Sent::What::states, next, sent);
  }

  void reduce_limit(int parity, omp_event_handle_t event) {
    if (!planned_[static_cast<std::size_t>(parity)].exists) {
      fulfil(static_cast<std::uint64_t>(event));
      return;
    }
    limit_ = least_limit();
    engine_->least_then_fulfil(limit_, static_cast<Engine::Event>(event));
  }

  void find_length(int parity) {
    Planned& now = planned_[static_cast<std::size_t>(parity)];
    Planned& after = planned_[static_cast<std::size_t>(1 - parity)];
    if (now.exists) now.step = clock_->next(engine_->has_other_ranks() ? limit_ : least_limit());
    // now.exists stays as it was said: messages of the step before, which carry this one's state, and
    // tasks that prepare may be looking at it, on this rank and on others.
    after = {};
    if (now.step) after = {clock_->has_step_after(), now.step->begin + now.step->length, std::nullopt};
    if (!after.exists) is_over_.store(true, std::memory_order_relaxed);
  }

  // Messages of a step, if there is one of this parity.
  void receive(int m, Sent::What what, int parity, omp_event_handle_t event) {
    const Sent sent{what, (first_copy_ + parity) % 2};
    if (planned_[static_cast<std::size_t>(parity)].exists) {
      engine_->receive_then_fulfil(m, tag_of(sent), sent, static_cast<Engine::Event>(event));
    } else {
      fulfil(static_cast<std::uint64_t>(event));
    }
  }
  void send(int m, Sent::What what, int parity, omp_event_handle_t event) {
    const Sent sent{what, (first_copy_ + parity) % 2};
    if (planned_[static_cast<std::size_t>(parity)].exists) {
      engine_->send_then_fulfil(m, tag_of(sent), sent, static_cast<Engine::Event>(event));
    } else {
      fulfil(static_cast<std::uint64_t>(event));
    }
  }
  [[nodiscard]] static int tag_of(const Sent& sent) {
    return exchange::kNumberedTag + sent.copy + (sent.what == Sent::What::face_states ? 2 : 0);
  }

  [[nodiscard]] double least_limit() const {
    double least = std::numeric_limits<double>::infinity();
    for (const double limit : limits_) least = std::min(least, limit);
    return least;
  }

  void prepare(int patch, int parity) {
    const program::Range range("prepare");
    const Planned& planned = planned_[static_cast<std::size_t>(parity)];
    if (!planned.exists) return;
    Step step;
    step.copy = (first_copy_ + parity) % 2;
    step.begin = planned.begin;
    engine_->prepare(patch, step, omp_get_thread_num());
  }

  void complete(int patch, int parity) {
    const program::Range range("complete");
    const std::optional<Step>& step = planned_[static_cast<std::size_t>(parity)].step;
    if (!step) return;
    limits_[static_cast<std::size_t>(patch)] = engine_->complete(patch, *step, omp_get_thread_num());
  }

  bool is_recorded_;
  Engine* engine_ = nullptr;
  Clock* clock_ = nullptr;
  long mesh_number_ = -1;
  int first_copy_ = 0;
  bool must_record_ = true;
  std::vector<double> limits_;  // that each patch's newest state allows
  double limit_ = 0.0;          // the least of all ranks
  std::array<Planned, 2> planned_;
  std::atomic<bool> is_over_{false};
  // What dependences name: each patch's copies and face states, those of each message, and the lengths of two
  // steps in turn.
  std::array<std::vector<char>, 2> states_, received_, sent_;
  std::vector<char> faces_, received_faces_, sent_faces_;
  std::array<char, 2> slots_{};
};

}  // namespace

std::unique_ptr<Model> make_data_flow(bool is_recorded) {
  return std::make_unique<DataFlow>(is_recorded);
}

}  // namespace heddle::wave
