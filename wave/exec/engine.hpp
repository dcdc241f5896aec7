// What an execution model has to know of a simulation: its patches, which can be advanced in any order.
//
// Words: within one step a patch is *advanced* from the current copy of its own and its neighbours' values to
// the next copy of its own.
//
// Invariant: advancing reads the current copies and writes one patch's next copy (and its ghosts in the
// current one), so the patches of a step may be advanced in any order and by any threads: the bits are the
// same.
#pragma once

namespace heddle::wave {

class Engine {
 public:
  virtual ~Engine() = default;

  /// Patches of this rank, numbered along the curve.
  [[nodiscard]] virtual int patches() const = 0;
  /// Returns the longest time step that the patch's new state allows, by the CFL condition.
  /// Threads: any, each patch once a step. thread: the number of the calling one in its team, below what the
  /// engine was made for.
  virtual double advance(int patch, double dt, int thread) = 0;
};

/// Who advances which patch when. One object a run.
class Model {
 public:
  virtual ~Model() = default;
  /// Advances every patch once, and returns the least of what advance() returned.
  virtual double step(Engine& engine, double dt) = 0;
};

}  // namespace heddle::wave
