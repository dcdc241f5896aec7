// When a run writes checkpoints: every so many steps or seconds, and when a signal asks.
//
// Invariant: every rank gets the same answer. SIGUSR1 asks for one checkpoint, SIGTERM for one and then the
// end, on any rank: batch systems send them before a run's time is over.
#pragma once

#include <chrono>
#include <string>

#include "exchange/communicator.hpp"

namespace heddle::program {
class CommandLine;
}

namespace heddle::storage {

struct CheckpointRequest {
  std::string prefix = "chk";  // names begin so
  int steps = 0;               // one every so many; 0: none
  double seconds = 0.0;        // likewise
  int keep = 2;                // the latest so many stay
  std::string restart;         // a checkpoint to go on from; empty: none

  [[nodiscard]] bool is_asked_for() const { return steps > 0 || seconds > 0.0; }
};

/// What --checkpoint_freq takes: a whole number of steps, or a number and s, m or h. Errors: throws
/// UserError.
void parse_frequency(const std::string& option, const std::string& text, CheckpointRequest& request);
/// --checkpoint_freq, --checkpoint_file, --keep and --restart, whose help is given.
void add_options(program::CommandLine& options, CheckpointRequest& request, const std::string& restart_help);
/// Errors: throws UserError for values that mean nothing, and options that have no effect. Requires: the
/// options have been parsed.
void check(const program::CommandLine& options, const CheckpointRequest& request);
/// Errors: throws UserError where no checkpoint could be written. Leaves no new file behind.
void check_output_path(const CheckpointRequest& request);

/// On stderr: where the run has stopped, and how to go on.
void say_stopped(const std::string& program, const std::string& prefix, int step);

class CheckpointSchedule {
 public:
  /// Where checkpoints are asked for, signals are caught from now on.
  /// step: that the run begins after.
  CheckpointSchedule(const CheckpointRequest& request, exchange::Communicator& ranks, int step = 0);

  struct Answer {
    bool is_due = false;
    bool must_end = false;   // the run, after the checkpoint
    int steps_a_second = 1;  // so far, 1 to 64: a program that cannot ask after each step may do that many
  };
  /// After a step, in order. Collective, where checkpoints are asked for.
  [[nodiscard]] Answer after(int step);
  /// A checkpoint is written from now on: seconds are counted from here.
  void written() { last_ = std::chrono::steady_clock::now(); }

 private:
  CheckpointRequest request_;
  exchange::Communicator& ranks_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
  int steps_ = 0;      // of this process
  int last_step_ = 0;  // that was asked about
};

}  // namespace heddle::storage
