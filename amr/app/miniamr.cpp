// heddle-amr: command line to engine, nothing else.
//
// One process, or one of as many as mpiexec has started. Exit status: 0 done, 1 a check failed, 2 the input
// cannot be run, 143 stopped by SIGTERM after a checkpoint.
#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amr/exec/variants.hpp"
#include "amr/io/options.hpp"
#include "amr/io/progress.hpp"
#include "amr/io/report.hpp"
#include "amr/io/results_json.hpp"
#include "exchange/launcher.hpp"
#include "exchange/mpi_communicator.hpp"
#include "program/fail_together.hpp"
#include "program/user_error.hpp"
#include "storage/schedule.hpp"

namespace {

using namespace heddle::amr;
using heddle::program::fail_together;
using heddle::program::UserError;

constexpr int kUserError = 2;
constexpr int kStopped = 128 + SIGTERM;  // by that signal, as shells say it

/// Says on rank 0 what is wrong. Requires: every rank has met the same error, or this process is alone.
void say(int rank, const char* what) {
  if (rank == 0) fmt::print(stderr, "heddle-amr: {}\n", what);
}

void warn_of_divergence(const Settings& settings) {
  if (settings.stencil == 27 && settings.is_adaptive() && !settings.quiet)
    fmt::print("WARNING: 27 point stencil with non-uniform refinement: answers may diverge\n");
}

int run_command(int argc, char** argv, Communicator& ranks) {
  std::vector<VariantName> names;
  for (const Variant& v : variants()) names.push_back({v.name, v.description});
  const Parsed parsed = parse_options(argc, argv, names, ranks.size());
  if (parsed.text) {
    if (ranks.rank() == 0) fmt::print("{}", *parsed.text);
    return 0;
  }
  const Settings& settings = parsed.settings;
  fail_together(ranks, [&] {
    if (ranks.rank() == 0) check_output_paths(settings);
  });
  const Variant& variant = *find_variant(settings.variant);
  if (settings.threads > 0) omp_set_num_threads(settings.threads);
  if (ranks.rank() == 0) warn_of_divergence(settings);
  RunRecord record;
  if (ranks.rank() == 0) {
    ConsoleWatcher watcher(settings);
    record = run(variant, settings, watcher, ranks);
  } else {
    Watcher silent;
    record = run(variant, settings, silent, ranks);
  }
  record.threads = variant.is_parallel() ? omp_get_max_threads() : 1;
  fail_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    if (!settings.results.empty()) write_results_json(settings, record);
    write_reports(settings, record);
  });
  if (record.was_stopped) {
    if (ranks.rank() == 0)
      heddle::storage::say_stopped("heddle-amr", settings.checkpoint.prefix,
                                   record.timesteps.back().timestep);
    return kStopped;
  }
  return record.failed ? 1 : 0;
}

/// Errors that one rank meets alone end the others, too.
int run_on(int argc, char** argv, Communicator& ranks) {
  std::string message;
  try {
    return run_command(argc, argv, ranks);
  } catch (const UserError& e) {
    say(ranks.rank(), e.what());
    return kUserError;
  } catch (const std::bad_alloc&) {
    message = "out of memory; give smaller blocks, fewer --num_vars or a smaller --num_refine";
  } catch (const std::exception& e) {
    message = e.what();
  }
  say(0, message.c_str());
  if (ranks.size() > 1) MPI_Abort(MPI_COMM_WORLD, kUserError);
  return kUserError;
}

/// What the variant that the command line names needs of MPI, if it is one: without a name the default's.
int thread_level(std::span<char*> words) {
  int level = MPI_THREAD_FUNNELED;
  for (std::string_view word : words) {
    if (word.starts_with("--variant=")) word.remove_prefix(word.find('=') + 1);
    const Variant* const variant = find_variant(word);
    if (variant == nullptr) continue;
    if (variant->messages_are_tasks()) return heddle::exchange::MpiCommunicator::kTaskAware;
    if (!variant->is_parallel()) level = MPI_THREAD_SINGLE;
  }
  return level;
}

}  // namespace

int main(int argc, char** argv) {
  int needed = thread_level({argv, static_cast<std::size_t>(argc)});
  int provided = 0;
  MPI_Init_thread(&argc, &argv, needed, &provided);
  if (needed > MPI_THREAD_MULTIPLE) needed = MPI_THREAD_MULTIPLE;  // more is libheddle's
  int status = 0;
  {
    heddle::exchange::MpiCommunicator ranks;
    if (heddle::exchange::is_one_of_copies("heddle-amr", ranks.size())) {
      status = kUserError;
    } else if (provided < needed) {
      say(ranks.rank(),
          needed == MPI_THREAD_MULTIPLE
              ? "in this variant any thread may call MPI, which this MPI does not allow; use one "
                "that does, or another --variant"
              : "this MPI does not allow threads beside the one that calls it; use one that does");
      status = kUserError;
    } else {
      status = run_on(argc, argv, ranks);
    }
  }
  MPI_Finalize();
  return status;
}
