// What an execution model has to know of a simulation: its patches, which can be advanced in any order.
//
// Words: within one step a patch is *prepared*, then *completed*. Preparing reads the states of the patches
// around at the step's begin, and does not depend on how long the step is. Completing does; in schemes of
// first order it reads the patch alone, in others also the *face states* that preparing the patches around
// has found.
//
// Invariant: preparing writes one patch's next copy, its face states and its ghosts in the current copy,
// completing its next copy. So the patches of a step may be prepared in any order and by any threads, and so
// completed once they themselves, and where that is read those around them, are prepared: the bits are the
// same. Before a patch that reads messages is prepared or completed these have been received.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "wave/exec/clock.hpp"
#include "wave/exec/patch_graph.hpp"

namespace heddle::wave {

/// What a message between ranks carries of patches at its face.
struct Sent {
  enum class What : unsigned char { states, face_states } what = What::states;
  int copy = 0;  // that holds the states, or that of the step whose face states they are
};

/// What one traversal of all patches does with each: both is for where completing does not read around.
enum class Traversal : unsigned char { both, prepares, completes };

class Engine {
 public:
  virtual ~Engine() = default;

  /// Of this rank, which others may be around.
  [[nodiscard]] virtual const PatchGraph& graph() const = 0;
  /// Another one whenever patches or their surroundings are others: no two meshes of a process share one.
  [[nodiscard]] virtual long mesh_number() const = 0;

  /// Threads: any, each patch once a step. thread: the number of the calling one in its team, below what the
  /// engine was made for. Of the step its copy and begin are read.
  virtual void prepare(int patch, const Step& step, int thread) = 0;
  /// Returns the longest time step that the patch's new state allows, by the CFL condition.
  /// Requires: the patch is prepared, and where completing_reads_around() also those around it.
  virtual double complete(int patch, const Step& step, int thread) = 0;
  /// Whether completing a patch reads face states of those around it.
  [[nodiscard]] virtual bool completing_reads_around() const = 0;

  /// One traversal's share of a patch. Returns what complete() returns, or infinity.
  double execute(Traversal traversal, int patch, const Step& step, int thread) {
    if (traversal != Traversal::completes) prepare(patch, step, thread);
    if (traversal == Traversal::prepares) return std::numeric_limits<double>::infinity();
    return complete(patch, step, thread);
  }

  // -- Other ranks: the graph's messages

  [[nodiscard]] virtual bool has_other_ranks() const = 0;

  /// Sends what other ranks need, and receives. Requires: that of the patches of every message is there.
  /// Threads: one, and the same for both.
  virtual void start_exchange(Sent what) = 0;
  virtual void finish_exchange(Sent what) = 0;
  /// Of all ranks. Collective.
  virtual double least(double limit) = 0;

  /// The same as tasks. Of the calling task's detach clause: fulfilled when the message is there, or gone. A
  /// message of each kind between two ranks needs a tag of its own while it is on its way.
  using Event = std::uintptr_t;
  virtual void receive_then_fulfil(int message, int tag, Sent what, Event event) = 0;
  virtual void send_then_fulfil(int message, int tag, Sent what, Event event) = 0;
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

/// A model whose traversals begin when the one before has ended.
class StepByStep : public Model {
 public:
  void run(Engine& engine, Clock& clock) override {
    mesh_begins(engine);
    exchanged_ = false;
    double limit = clock.limit();
    while (const std::optional<Step> step = clock.next(limit)) {
      exchange(engine, {Sent::What::states, step->copy});
      if (engine.completing_reads_around()) {
        traverse(engine, *step, Traversal::prepares);
        exchange(engine, {Sent::What::face_states, step->copy});
        limit = engine.least(traverse(engine, *step, Traversal::completes));
      } else {
        limit = engine.least(traverse(engine, *step, Traversal::both));
      }
    }
  }

 protected:
  /// What other ranks need after a traversal.
  [[nodiscard]] static Sent sent_after(Traversal traversal, const Step& step) {
    if (traversal == Traversal::prepares) return {Sent::What::face_states, step.copy};
    return {Sent::What::states, 1 - step.copy};
  }
  /// To be called in traverse() by who has exchanged sent_after().
  void has_exchanged() { exchanged_ = true; }

 private:
  /// The engine's patches may not be those of the call before.
  virtual void mesh_begins(Engine& /*engine*/) {}
  /// Executes every patch's share once, and returns the least of what Engine::execute() returned.
  virtual double traverse(Engine& engine, const Step& step, Traversal traversal) = 0;

  void exchange(Engine& engine, Sent what) {
    if (!exchanged_) {
      engine.start_exchange(what);
      engine.finish_exchange(what);
    }
    exchanged_ = false;
  }

  bool exchanged_ = false;
};

}  // namespace heddle::wave
