// The plotfiles of a run: at the start, every --plot_freq steps and at the end.
#pragma once

#include <string>
#include <vector>

#include "storage/plotfile.hpp"
#include "wave/exec/solver.hpp"
#include "wave/io/settings.hpp"

namespace heddle::wave {

class Plots {
 public:
  /// Errors: throws UserError for a variable that the solver has not.
  Plots(const Settings& settings, Solver& solver, exchange::Communicator& ranks);

  /// Those that earlier parts of the run have written.
  void add(const std::vector<storage::PlotSeries::Entry>& earlier);
  [[nodiscard]] const std::vector<storage::PlotSeries::Entry>& entries() const { return series_.entries(); }

  [[nodiscard]] bool are_due_after(int steps) const {
    return settings_.plot_freq > 0 && steps % settings_.plot_freq == 0;
  }
  /// Nothing where no plots are asked for, or this step has one. Collective. Errors: throws UserError.
  void write(int steps);

 private:
  const Settings& settings_;
  Solver& solver_;
  exchange::Communicator& ranks_;
  storage::PlotSeries series_;
  std::vector<std::string> names_;
};

}  // namespace heddle::wave
