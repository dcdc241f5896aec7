// heddle-wave: command line to engine, nothing else.
//
// One process, or one of as many as mpiexec has started. Exit status: 0 done, 2 the input cannot be run,
// 143 stopped by SIGTERM after a checkpoint.
#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <numeric>
#include <string>

#include "exchange/launcher.hpp"
#include "exchange/mpi_communicator.hpp"
#include "program/fail_together.hpp"
#include "program/user_error.hpp"
#include "wave/io/checkpoints.hpp"
#include "wave/io/options.hpp"
#include "wave/io/plots.hpp"
#include "wave/io/progress.hpp"
#include "wave/io/results_json.hpp"

namespace {

using namespace heddle::wave;
using heddle::exchange::Communicator;
using heddle::program::fail_together;
using heddle::program::UserError;

constexpr int kUserError = 2;
constexpr int kStopped = 128 + SIGTERM;  // by that signal, as shells say it

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void print_summary(const Settings& settings, const RunRecord& record) {
  fmt::print("{} steps to time {:.6g} in {:.3f} s", record.steps, record.time, record.wall_seconds);
  if (record.wall_seconds > 0.0)
    fmt::print(": {:.1f} M volumes/s, {:.0f} % of the threads' time on patches",
               record.volume_updates / record.wall_seconds / 1e6, 100.0 * record.busy_share());
  fmt::print("\n");
  std::string patches;
  for (std::size_t level = 0; level < record.patches_per_level.size(); ++level) {
    if (record.patches_per_level[level] == 0) continue;
    patches +=
        fmt::format("{}{} of level {}", patches.empty() ? "" : ", ", record.patches_per_level[level], level);
  }
  fmt::print("patches: {}; the mesh changed {} times\n", patches, record.mesh_changes);
  if (record.is_closed)
    fmt::print("conserved quantities drifted by {:.1e}\n",
               drift(record.conserved_at_begin, record.conserved_at_end));
  for (const Named& error : record.l1) fmt::print("L1 error of {}: {:.5e}\n", error.name, error.value);
  for (const Count& count : record.counts) fmt::print("{}: {}\n", count.name, count.value);
  fmt::print("state fingerprint {:016x}\n", record.state_fingerprint);
  if (!settings.results.empty()) fmt::print("results: {}\n", settings.results);
}

/// Steps from one multiple of freq to the next; freq 0: no limit.
int steps_until(int freq, int steps) {
  return freq > 0 ? freq - steps % freq : kNoLimit;
}

/// In parts that end where something is to be looked at or written. is_shown: on this rank.
void run_steps(const Settings& settings, Solver& solver, Model& model, double end, bool is_shown,
               Plots& plots, Checkpoints& checkpoints, RunRecord& record) {
  Progress progress(settings, solver, end, record.threads, is_shown);
  int mesh_changes = -1;
  double volumes = 0.0;
  solver.watch([&](const Step& step) {
    if (solver.mesh_changes() != mesh_changes) {
      mesh_changes = solver.mesh_changes();
      const std::vector<int> levels = solver.patches_per_level();
      volumes = std::accumulate(levels.begin(), levels.end(), 0.0) * solver.volumes_per_patch();
    }
    record.volume_updates += volumes;
    record.step_lengths.push_back(step.length);
    progress.step_ended(step, record.volume_updates);
  });
  if (settings.checkpoint.restart.empty()) plots.write(0);
  while (solver.time() < end && record.steps < settings.max_steps && !record.was_stopped) {
    const auto begin = std::chrono::steady_clock::now();
    record.steps += solver.run(
        model, end,
        std::min({settings.max_steps - record.steps, steps_until(settings.drift_freq, record.steps),
                  steps_until(settings.plot_freq, record.steps), checkpoints.most_steps(record.steps)}));
    record.wall_seconds += seconds_since(begin);
    if (plots.are_due_after(record.steps)) plots.write(record.steps);
    if (record.is_closed && settings.drift_freq > 0 && record.steps % settings.drift_freq == 0)
      progress.drifted(drift(record.conserved_at_begin, solver.integrals()));
    const bool must_end = checkpoints.after(record, plots.entries());
    record.was_stopped = must_end && solver.time() < end && record.steps < settings.max_steps;
  }
  if (!record.was_stopped) plots.write(record.steps);
  solver.watch({});
}

/// What the solver knows at the end, on every rank.
void finish_record(Solver& solver, Model& model, Communicator& ranks, RunRecord& record) {
  record.time = solver.time();
  const PatchSeconds mine = solver.patch_seconds();
  const auto of_all = [&](double seconds) {
    return 1e-9 * static_cast<double>(ranks.sum(static_cast<std::int64_t>(1e9 * seconds)));
  };
  record.patch_seconds = {of_all(mine.prepare), of_all(mine.complete)};
  record.regrid_seconds = solver.regrid_seconds();
  record.mesh_changes = solver.mesh_changes();
  record.patches_per_level = solver.patches_per_level();
  record.patches_per_rank = solver.patches_per_rank();
  record.volumes_per_patch = solver.volumes_per_patch();
  record.conserved_at_end = solver.integrals();
  record.l1 = solver.mean_errors();
  for (const Count& count : model.counts())
    record.counts.push_back({count.name, count.is_most ? ranks.most(count.value) : ranks.sum(count.value)});
  record.state_fingerprint = solver.state_fingerprint();
  record.mesh_fingerprint = solver.mesh_fingerprint();
}

/// Errors: throws UserError where a checkpoint is of a later step or time than the run is to have.
void expect_more(const Settings& settings, int steps, double time, double end) {
  const std::string& file = settings.checkpoint.restart;
  if (settings.max_steps < steps)
    throw UserError(
        fmt::format("--max_steps {} is before step {}, which {} is of; give more, or an earlier --restart",
                    settings.max_steps, steps, file));
  if (end < time)
    throw UserError(fmt::format("--time {} is before {}, the time of {}; give more, or an earlier --restart",
                                end, time, file));
}

/// any_thread: whether MPI may be called by any.
int run_command(int argc, char** argv, Communicator& ranks, bool any_thread) {
  Parsed parsed = parse_options(argc, argv);
  const bool is_first = ranks.rank() == 0;
  if (parsed.text) {
    if (is_first) fmt::print("{}", *parsed.text);
    return 0;
  }
  Settings& settings = parsed.settings;
  fail_together(ranks, [&] {
    if (is_first) check_output_paths(settings);
  });
  if (settings.model.name == "serial") {
    if (settings.threads > 1)
      throw UserError("--exec serial has one thread; give --threads 1 or another --exec");
    settings.threads = 1;
  }
  if (settings.threads > 0) omp_set_num_threads(settings.threads);
  const auto model = make_model(settings.model, ranks.size());
  if (!any_thread && ranks.size() > 1 && model->sends_from_any_thread())
    throw UserError("this MPI does not allow calls by any thread, which --exec " + settings.model.name +
                    " needs; use one that does, or --exec enclave");
  if (is_first && !settings.quiet) {
    for (const std::string& note : notes_on(settings.model)) fmt::print(stderr, "heddle-wave: {}\n", note);
  }

  RunRecord record;
  record.threads = omp_get_max_threads();
  record.ranks = ranks.size();
  const auto begin = std::chrono::steady_clock::now();
  const Prepared prepared = prepare(settings.problem, {ranks, record.threads});
  Solver& solver = *prepared.solver;
  record.prepare_seconds = seconds_since(begin);
  record.is_closed = solver.is_closed();
  Plots plots(settings, solver, ranks);
  if (settings.checkpoint.restart.empty()) {
    record.conserved_at_begin = solver.integrals();
  } else {
    plots.add(restore(settings, solver, record));
    expect_more(settings, record.steps, solver.time(), prepared.end);
  }
  Checkpoints checkpoints(settings, solver, ranks, record.steps);
  run_steps(settings, solver, *model, prepared.end, is_first, plots, checkpoints, record);
  finish_record(solver, *model, ranks, record);
  std::vector<Sample> samples;
  if (!settings.samples.empty()) samples = solver.slice();
  fail_together(ranks, [&] {
    if (!is_first) return;
    if (!settings.results.empty()) write_results_json(settings, record);
    if (!settings.samples.empty()) write_samples(settings.samples, samples);
  });
  if (is_first && !settings.quiet) print_summary(settings, record);
  if (!record.was_stopped) return 0;
  if (is_first) heddle::storage::say_stopped("heddle-wave", settings.checkpoint.prefix, record.steps);
  return kStopped;
}

/// Says on rank 0 what is wrong. Requires: every rank has met the same error, or this process is alone.
void say(int rank, const std::string& what) {
  if (rank == 0) fmt::print(stderr, "heddle-wave: {}\n", what);
}

/// Errors that one rank meets alone end the others, too.
int run_on(int argc, char** argv, Communicator& ranks, bool any_thread) {
  std::string message;
  try {
    return run_command(argc, argv, ranks, any_thread);
  } catch (const UserError& e) {
    say(ranks.rank(), e.what());
    return kUserError;
  } catch (const std::bad_alloc&) {
    message = "out of memory; give smaller patches or fewer levels";
  } catch (const std::exception& e) {
    message = e.what();
  }
  say(0, message);
  if (ranks.size() > 1) MPI_Abort(MPI_COMM_WORLD, kUserError);
  return kUserError;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int status = kUserError;
  {
    heddle::exchange::MpiCommunicator ranks;
    if (!heddle::exchange::is_one_of_copies("heddle-wave", ranks.size()))
      status = run_on(argc, argv, ranks, provided == MPI_THREAD_MULTIPLE);
  }
  MPI_Finalize();
  return status;
}
