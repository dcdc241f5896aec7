// When a run writes checkpoints: every so many steps or seconds, and when a signal asks.
//
// Invariant: every rank gets the same answer. SIGUSR1 asks for one checkpoint, SIGTERM for one and then the
// end, on any rank: batch systems send them before a run's time is over.
#pragma once

#include <chrono>
#include <string>

#include "exchange/communicator.hpp"

namespace heddle::storage {

struct CheckpointRequest {
  std::string prefix = "chk";  // names begin so
  int steps = 0;               // one every so many; 0: none
  double seconds = 0.0;        // likewise
  int keep = 2;                // the latest so many stay

  [[nodiscard]] bool is_asked_for() const { return steps > 0 || seconds > 0.0; }
};

/// What --checkpoint_freq takes: a whole number of steps, or a number and s, m or h. Errors: throws
/// UserError.
void parse_frequency(const std::string& option, const std::string& text, CheckpointRequest& request);

class CheckpointSchedule {
 public:
  /// Where checkpoints are asked for, signals are caught from now on.
  CheckpointSchedule(const CheckpointRequest& request, exchange::Communicator& ranks);

  struct Answer {
    bool is_due = false;
    bool must_end = false;  // the run, after the checkpoint
  };
  /// Once after every step. Collective, where checkpoints are asked for.
  [[nodiscard]] Answer after(int step);
  /// A checkpoint has been written: seconds are counted from here.
  void written() { last_ = std::chrono::steady_clock::now(); }

 private:
  CheckpointRequest request_;
  exchange::Communicator& ranks_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace heddle::storage
