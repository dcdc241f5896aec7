// heddle-wave: command line to engine, nothing else.
//
// Exit status: 0 done, 2 the input cannot be run.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <chrono>
#include <exception>
#include <new>
#include <numeric>

#include "program/user_error.hpp"
#include "wave/io/options.hpp"
#include "wave/io/progress.hpp"
#include "wave/io/results_json.hpp"

namespace {

using namespace heddle::wave;

constexpr int kUserError = 2;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void print_summary(const Settings& settings, const RunRecord& record) {
  fmt::print(
      "{} steps to time {:.6g} in {:.3f} s: {:.1f} M volumes/s, {:.0f} % of the threads' time on patches\n",
      record.steps, record.time, record.wall_seconds, record.volume_updates / record.wall_seconds / 1e6,
      100.0 * record.busy_seconds / (record.wall_seconds * record.threads));
  fmt::print("{} patches of level {}; the mesh changed {} times\n", fmt::join(record.patches_per_level, "+"),
             record.patches_per_level.size() > 1 ? "0 and finer" : "0", record.mesh_changes);
  fmt::print("conserved quantities drifted by {:.1e}\n",
             drift(record.conserved_at_begin, record.conserved_at_end));
  for (const Named& error : record.l1) fmt::print("L1 error of {}: {:.5e}\n", error.name, error.value);
  for (const Count& count : record.counts) fmt::print("{}: {}\n", count.name, count.value);
  fmt::print("state fingerprint {:016x}\n", record.state_fingerprint);
  if (!settings.results.empty()) fmt::print("results: {}\n", settings.results);
}

/// In parts of --drift_freq steps, or all at once.
void run_steps(const Settings& settings, Solver& solver, Model& model, double end, int threads,
               RunRecord& record) {
  Progress progress(settings, solver, end, threads);
  solver.watch([&](const Step& step) {
    const std::vector<int> levels = solver.patches_per_level();
    record.volume_updates += std::accumulate(levels.begin(), levels.end(), 0.0) * solver.volumes_per_patch();
    record.step_lengths.push_back(step.length);
    progress.step_ended(step);
  });
  const int part = settings.drift_freq > 0 ? settings.drift_freq : kNoLimit;
  while (solver.time() < end && record.steps < settings.max_steps) {
    const auto begin = std::chrono::steady_clock::now();
    record.steps += solver.run(model, end, std::min(part, settings.max_steps - record.steps));
    record.wall_seconds += seconds_since(begin);
    if (settings.drift_freq > 0) progress.drifted(drift(record.conserved_at_begin, solver.integrals()));
  }
  solver.watch({});
}

int run_command(int argc, char** argv) {
  Parsed parsed = parse_options(argc, argv);
  if (parsed.text) {
    fmt::print("{}", *parsed.text);
    return 0;
  }
  Settings& settings = parsed.settings;
  if (settings.model.name == "serial") {
    if (settings.threads > 1)
      throw heddle::program::UserError("--exec serial has one thread; give --threads 1 or another --exec");
    settings.threads = 1;
  }
  if (settings.threads > 0) omp_set_num_threads(settings.threads);
  settings.problem.threads = omp_get_max_threads();
  const auto model = make_model(settings.model);

  RunRecord record;
  record.threads = omp_get_max_threads();
  const auto begin = std::chrono::steady_clock::now();
  const Prepared prepared = prepare(settings.problem);
  Solver& solver = *prepared.solver;
  record.prepare_seconds = seconds_since(begin);
  record.conserved_at_begin = solver.integrals();
  run_steps(settings, solver, *model, prepared.end, record.threads, record);
  record.time = solver.time();
  record.busy_seconds = solver.busy_seconds();
  record.regrid_seconds = solver.regrid_seconds();
  record.mesh_changes = solver.mesh_changes();
  record.patches_per_level = solver.patches_per_level();
  record.volumes_per_patch = solver.volumes_per_patch();
  record.conserved_at_end = solver.integrals();
  record.l1 = solver.mean_errors();
  record.counts = model->counts();
  record.state_fingerprint = solver.state_fingerprint();
  record.mesh_fingerprint = solver.mesh_fingerprint();
  if (!settings.results.empty()) write_results_json(settings, record);
  if (!settings.samples.empty()) write_samples(settings.samples, solver.slice());
  if (!settings.quiet) print_summary(settings, record);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "heddle-wave: out of memory; give smaller patches or fewer levels\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "heddle-wave: {}\n", e.what());
  }
  return kUserError;
}
