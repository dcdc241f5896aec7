// What a run is asked to do: every option of the command line, parsed and checked.
//
// Invariant: after parse_options() all values are within the ranges that the engine requires.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "amr/field/shape.hpp"
#include "amr/refine/load_balance.hpp"
#include "amr/refine/object.hpp"
#include "storage/schedule.hpp"

namespace heddle::amr {

/// From where cells get their values: each rank's own stream, as in the reference, or the block's number.
enum class InitialValues { reference, block };

/// The reference's text of the mesh, or AMReX plotfiles with the cells' values.
enum class PlotFormat { reference, amrex };

/// Bits of --report_perf.
inline constexpr int kReportYaml = 1;
inline constexpr int kReportText = 2;
inline constexpr int kReportConsole = 4;
inline constexpr int kReportSteps = 8;

struct Settings {
  // Mesh
  std::array<int, 3> cells{10, 10, 10};
  std::array<int, 3> init{1, 1, 1};
  std::array<int, 3> ranks{1, 1, 1};
  int max_blocks = 500;
  int num_refine = 5;
  int block_change = 0;  // 0 on the command line becomes num_refine
  int uniform_refine = 0;
  int refine_freq = 5;
  bool refine_ghost = false;
  std::vector<Object> objects;
  // Time
  int num_tsteps = 20;
  bool num_tsteps_given = false;
  double end_time = 0.0;
  bool time_given = false;
  int stages_per_ts = 20;
  // Variables
  int num_vars = 40;
  int comm_vars = 0;  // 0 on the command line becomes num_vars
  int stencil = 7;
  int checksum_freq = 5;
  int error_tol = 8;
  // Exchange
  int code = 0;
  bool permute = false;
  bool blocking_send = false;
  bool send_faces = false;
  int max_comm_tasks = 0;  // with send_faces: messages along an axis between two ranks; 0: one a face
  bool separate_buffers = false;
  int delay_checks = 1;
  // Balance: without effect on one rank
  int reorder = -1;
  int lb_opt = 1;
  int inbalance = 0;
  BalanceMethod method = BalanceMethod::rcb;
  bool change_dir = false;
  bool group_blocks = false;
  bool break_ties = false;
  int limit_move = 0;
  // Output
  bool report_diffusion = false;
  int report_perf = kReportConsole | kReportSteps;
  int plot_freq = 0;
  PlotFormat plot_format = PlotFormat::reference;
  std::string plot_file = "plt";  // plotfiles' names begin so
  std::vector<int> plot_vars;     // in plotfiles; none on the command line becomes all
  storage::CheckpointRequest checkpoint;
  std::optional<std::array<int, 3>> restart_roots;  // its blocks of level 0
  std::string results;                              // empty: none
  bool progress = false;
  bool quiet = false;
  // Execution
  std::string variant = "loop";
  int threads = 0;    // 0: what the OpenMP runtime chooses
  int task_vars = 0;  // 0: chosen from the cache
  InitialValues initial_values = InitialValues::reference;
  Halo halo = Halo::faces;  // ghosts where faces do not suffice
  std::vector<std::string> argv;

  [[nodiscard]] int rank_count() const { return ranks[0] * ranks[1] * ranks[2]; }
  [[nodiscard]] Shape shape() const { return {cells, num_vars, keeps_ghosts()}; }
  [[nodiscard]] std::array<int, 3> roots() const {
    if (restart_roots) return *restart_roots;
    return {init[0] * ranks[0], init[1] * ranks[1], init[2] * ranks[2]};
  }
  [[nodiscard]] BalanceRule balance_rule() const {
    return {.grid = ranks,
            .is_reordered = reorder == 1,
            .method = method,
            .keeps_groups = group_blocks,
            .bisection = {change_dir, group_blocks, break_ties},
            .percent_imbalance = inbalance,
            .percent_moves = limit_move};
  }
  /// Objects move and the mesh follows them.
  [[nodiscard]] bool is_adaptive() const { return num_refine > 0 && uniform_refine == 0; }
  /// Whether stencils read ghosts that no exchange of their stage has filled: what earlier stages have left
  /// there, or the zeros of a fresh block, decides what is computed then, and blocks take it along.
  [[nodiscard]] bool keeps_ghosts() const {
    if (stencil == 7) return false;
    const bool leaves_edges = code == 0 && (is_adaptive() || permute);   // between levels, or in other orders
    const bool leaves_variables = stencil == 0 && comm_vars < num_vars;  // those of groups that come later
    return leaves_edges || leaves_variables;
  }
  /// Whether there is a plot after this timestep, 0 being the start.
  [[nodiscard]] bool plots_after(int timestep) const { return plot_freq != 0 && timestep % plot_freq == 0; }
  [[nodiscard]] bool reports_on_console(int bit) const { return !quiet && (report_perf & bit) != 0; }
};

}  // namespace heddle::amr
