// A simulation of any equation, dimension and ratio, as a program sees it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "storage/checkpoint.hpp"
#include "wave/exec/engine.hpp"

namespace heddle::wave {

/// One number of each unknown, or of whatever else there is a list of.
struct Named {
  std::string name;
  double value = 0.0;
};

/// The largest change of an integral, relative to its own size, or to 1 where it is smaller.
[[nodiscard]] inline double drift(const std::vector<Named>& before, const std::vector<Named>& after) {
  double worst = 0.0;
  for (std::size_t v = 0; v < before.size(); ++v) {
    const double change = std::abs(after[v].value - before[v].value);
    worst = std::max(worst, change / std::max(1.0, std::abs(before[v].value)));
  }
  return worst;
}

/// Cell averages of one scalar, for pictures. Shape: one square each, in no order.
struct Sample {
  double x = 0.0, y = 0.0;  // centre
  double width = 0.0;
  double value = 0.0;
  int level = 0;
};

/// Time on patches, by what was done with them.
struct PatchSeconds {
  double prepare = 0.0, complete = 0.0;
  [[nodiscard]] double sum() const { return prepare + complete; }
};

/// How far a simulation is, beside its mesh and volumes.
struct Moment {
  double time = 0.0;
  double limit = 0.0;  // of the next step
  int steps = 0;
  int mesh_changes = 0;
};

/// On several ranks all functions are collective, but for those of time, patches, steps and seconds.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Steps until `end`, no more than `most`. Returns how many there were.
  virtual int run(Model& model, double end, int most) = 0;
  /// From now on told of every step.
  virtual void watch(Clock::Watch watch) = 0;

  [[nodiscard]] virtual double time() const = 0;
  [[nodiscard]] virtual std::vector<int> patches_per_level() const = 0;
  [[nodiscard]] virtual std::vector<int> patches_per_rank() const = 0;
  [[nodiscard]] virtual double volumes_per_patch() const = 0;
  /// How often the mesh has changed since the start.
  [[nodiscard]] virtual int mesh_changes() const = 0;
  /// That all threads of this rank together have spent.
  [[nodiscard]] virtual PatchSeconds patch_seconds() const = 0;
  /// Seconds in which the mesh was looked at and changed.
  [[nodiscard]] virtual double regrid_seconds() const = 0;

  /// Nothing enters or leaves the domain: integrals() stay, but for sources.
  [[nodiscard]] virtual bool is_closed() const = 0;
  /// Each unknown integrated over the domain, exact sums rounded once.
  [[nodiscard]] virtual std::vector<Named> integrals() const = 0;
  /// Mean absolute differences from the exact solution, of primitive variables where the equation has them;
  /// empty where no solution is known.
  [[nodiscard]] virtual std::vector<Named> mean_errors() const = 0;
  /// Of mesh and state, independent of order and partition.
  [[nodiscard]] virtual std::uint64_t state_fingerprint() const = 0;
  [[nodiscard]] virtual std::uint64_t mesh_fingerprint() const = 0;
  /// Unknown 0 on the plane through the middle of the third axis.
  [[nodiscard]] virtual std::vector<Sample> slice() const = 0;

  /// What write_plotfile() can show.
  [[nodiscard]] virtual std::vector<std::string> plot_names() const = 0;
  /// What readers cannot do with plotfiles of this mesh, to be said; empty: nothing. Errors: throws UserError
  /// where plotfiles cannot have it.
  [[nodiscard]] virtual std::string expect_plotfiles() const = 0;
  /// names: some of plot_names(). begins: of this rank's partitions, and the end, as cut_patches() has them.
  /// Errors: throws UserError on every rank.
  virtual void write_plotfile(const std::string& path, const std::vector<std::string>& names,
                              const std::vector<int>& begins) = 0;

  [[nodiscard]] virtual Moment moment() const = 0;
  /// head: program and state; the rest is filled in. Errors: throws UserError on every rank.
  virtual void write_checkpoint(const std::string& path, storage::CheckpointHead head) = 0;
  /// Goes on from there, whatever was before. Errors: throws UserError on every rank if it is damaged, or of
  /// another shape.
  virtual void restore(const std::string& path, const std::string& program, const Moment& moment) = 0;
};

}  // namespace heddle::wave
