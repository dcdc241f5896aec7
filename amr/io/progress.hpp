// What people see while a run goes on: mesh lines on stdout as the reference prints them, a progress line on
// stderr, and plot files.
#pragma once

#include "amr/io/settings.hpp"
#include "amr/io/watcher.hpp"

namespace heddle::amr {

class ConsoleWatcher : public Watcher {
 public:
  explicit ConsoleWatcher(const Settings& settings);
  ~ConsoleWatcher() override;
  ConsoleWatcher(const ConsoleWatcher&) = delete;
  ConsoleWatcher& operator=(const ConsoleWatcher&) = delete;

  void timestep_begins(const TimestepRecord& step) override;
  void timestep_ends(const RunRecord& so_far, const BlockTree& tree) override;
  void refined(const RefinementRecord& refinement) override;
  void checked(int timestep, int v, double sum, double old) override;
  void check_failed(const std::string& message) override;
  void plot(const BlockTree& tree, int timestep) override;

 private:
  void clear_line();

  const Settings& settings_;
  bool shows_progress_;
  bool is_terminal_;
  bool has_line_ = false;
  double last_shown_ = -1.0;
};

/// One line: timestep, blocks per level, cell updates per second, time in each phase.
[[nodiscard]] std::string progress_line(const Settings& settings, const RunRecord& so_far,
                                        const BlockTree& tree);

}  // namespace heddle::amr
