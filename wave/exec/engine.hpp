// What an execution model has to know of a simulation: its patches, which can be advanced in any order.
//
// Words: within one step a patch is *advanced* from the current copy of its own and its neighbours' values to
// the next copy of its own, in two parts: its *residual*, which does not depend on how long the step is, then
// its *update*, which reads the patch alone.
//
// Invariant: finding a residual reads the current copies and writes one patch's next copy (and its ghosts in
// the current one), an update writes the next copy of its patch. So the patches of a step may be advanced in
// any order and by any threads: the bits are the same. Before the residuals of patches that read messages of
// a copy these have been received.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wave/exec/clock.hpp"

namespace heddle::wave {

/// What lies around a patch.
struct Surroundings {
  std::span<const int> neighbours;  // of this rank that share a face with it, rising, itself not included
  std::span<const int> messages;    // from other ranks that it reads; it is part of those to the same ranks
  bool is_at_boundary = false;      // of the domain
  bool is_at_hanging_face = false;
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// Patches of this rank, numbered along the curve.
  [[nodiscard]] virtual int patches() const = 0;
  [[nodiscard]] virtual Surroundings surroundings(int patch) const = 0;
  /// Another one whenever patches or their surroundings are others: no two meshes of a process share one.
  [[nodiscard]] virtual long mesh_number() const = 0;

  /// Threads: any, each patch once a step. thread: the number of the calling one in its team, below what the
  /// engine was made for. Of the step its copy and begin are read.
  virtual void find_residual(int patch, const Step& step, int thread) = 0;
  /// Returns the longest time step that the patch's new state allows, by the CFL condition.
  /// Requires: the residual was found.
  virtual double update(int patch, const Step& step, int thread) = 0;

  double advance(int patch, const Step& step, int thread) {
    find_residual(patch, step, thread);
    return update(patch, step, thread);
  }

  // -- Other ranks: one message to and from each that lies across a face, numbered from 0

  [[nodiscard]] virtual bool has_other_ranks() const = 0;
  [[nodiscard]] virtual int messages() const = 0;
  /// Rising.
  [[nodiscard]] virtual std::span<const int> patches_of_message(int message) const = 0;

  /// Sends what other ranks need of a copy, and receives. Requires: that copy of the patches of every message
  /// is complete. Threads: one, and the same for both.
  virtual void start_exchange(int copy) = 0;
  virtual void finish_exchange() = 0;
  /// Of all ranks. Collective.
  virtual double least(double limit) = 0;

  /// The same as tasks. Of the calling task's detach clause: fulfilled when the message is there, or gone. A
  /// message of each kind between two ranks needs a tag of its own while it is on its way.
  using Event = std::uintptr_t;
  virtual void receive_then_fulfil(int message, int tag, int copy, Event event) = 0;
  virtual void send_then_fulfil(int message, int tag, int copy, Event event) = 0;
  /// limit becomes the least of all ranks. Collective, in the same order on every rank.
  virtual void least_then_fulfil(double& limit, Event event) = 0;
};

/// How often something has happened.
struct Count {
  std::string name;
  long long value = 0;
  bool is_most = false;  // a greatest value: of several ranks the greatest counts, not the sum
};

/// Who advances which patch when. One object a run.
class Model {
 public:
  virtual ~Model() = default;
  /// Executes steps as long as the clock has any. Ensures: all of them are complete.
  virtual void run(Engine& engine, Clock& clock) = 0;
  /// With other ranks, any thread may talk to them.
  [[nodiscard]] virtual bool sends_from_any_thread() const { return false; }
  /// What happened since the model was made, if it counts anything. Requires: no run is going on.
  [[nodiscard]] virtual std::vector<Count> counts() { return {}; }
};

/// A model whose steps begin when the one before has ended.
class StepByStep : public Model {
 public:
  void run(Engine& engine, Clock& clock) override {
    mesh_begins(engine);
    is_exchanged_ = false;
    double limit = clock.limit();
    while (const std::optional<Step> step = clock.next(limit)) {
      if (!is_exchanged_) {
        engine.start_exchange(step->copy);
        engine.finish_exchange();
      }
      is_exchanged_ = false;
      limit = engine.least(advance(engine, *step));
    }
  }

 protected:
  /// To be called in advance() by who has exchanged the next step's copy.
  void has_exchanged() { is_exchanged_ = true; }

 private:
  /// The engine's patches may not be those of the call before.
  virtual void mesh_begins(Engine& /*engine*/) {}
  /// Advances every patch once, and returns the least of what Engine::advance() returned.
  virtual double advance(Engine& engine, const Step& step) = 0;

  bool is_exchanged_ = false;
};

}  // namespace heddle::wave
