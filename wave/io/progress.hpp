// What a user sees while a run goes on: one line a step, on stderr.
#pragma once

#include <chrono>
#include <string>

#include "wave/io/run_record.hpp"
#include "wave/io/settings.hpp"

namespace heddle::wave {

class Progress {
 public:
  /// Shows nothing with --quiet, or where stderr is no terminal and --progress was not given. is_shown: false
  /// on ranks that have nothing to say.
  Progress(const Settings& settings, const Solver& solver, double end, int threads, bool is_shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A step has ended. volumes: updates of the run so far. Threads: one at a time, any.
  void step_ended(const Step& step, double volumes);
  /// Between steps, where the state is whole.
  void drifted(double drift) { drift_ = drift; }

 private:
  [[nodiscard]] std::string line(const Step& step, double seconds, double volumes) const;

  const Solver& solver_;
  double end_;
  int threads_;
  bool is_shown_;
  bool is_terminal_;
  bool has_line_ = false;
  double drift_ = -1.0;  // none yet
  double shown_volumes_ = 0.0, shown_busy_ = 0.0;
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace heddle::wave
