#include "exchange/launcher.hpp"

#include <mpi.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

namespace heddle::exchange {
namespace {

struct Launcher {
  const char* name;
  const char* processes;  // variable: how many it has started together
  const char* number;     // variable: which of them this one is
};

// Of Slurm those of srun: in a batch script SLURM_NTASKS is that of the job, and its one process has
// SLURM_PROCID 0.
constexpr Launcher kMpich{"MPICH's mpiexec", "PMI_SIZE", "PMI_RANK"};
constexpr Launcher kOpenMpi{"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"};
constexpr Launcher kSlurm{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"};

#ifdef OPEN_MPI
constexpr Launcher kOwn = kOpenMpi;
constexpr const char* kMpi = "Open MPI";
#else
constexpr Launcher kOwn = kMpich;
constexpr const char* kMpi = "MPICH";
#endif

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

bool is_one_of_copies(const char* program, int ranks) {
  // Its own launcher is the inner one where there are several.
  if (ranks > 1 || number_in(kOwn.processes) == ranks) return false;
  for (const Launcher& launcher : std::array{kMpich, kOpenMpi, kSlurm}) {
    const std::optional<int> processes = number_in(launcher.processes), number = number_in(launcher.number);
    if (!processes || !number || *processes <= 1) continue;
    if (*number != 0) {
      // A launcher may end all when the first of them has failed: that one is to have said why.
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return true;
    }
    std::fprintf(stderr,
                 "%s: %s has started %d processes that are not ranks of one run, since this program is built "
                 "with %s: each would write the same files; start it by %s (heddle's --ranks does), or unset "
                 "%s where %d runs are meant\n",
                 program, launcher.name, *processes, kMpi, kOwn.name, launcher.processes, *processes);
    return true;
  }
  return false;
}

}  // namespace heddle::exchange
