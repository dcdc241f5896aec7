#include <fmt/core.h>

#include <iterator>

#include "amr/io/report.hpp"

namespace heddle::amr {
namespace {

template <class... Args>
void put(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

void put_vector(std::string& text, const char* label, const std::array<double, 3>& v, const char* end = "") {
  put(text, "{} {:.6f} {:.6f} {:.6f}{}\n", label, v[0], v[1], v[2], end);
}

/// The reference's "smallest cell" is half the real one: its rates are twice the true ratios.
std::array<double, 3> rate(const Settings& s, const std::array<double, 3>& speed) {
  std::array<double, 3> rate{};
  for (int d = 0; d < 3; ++d) {
    rate[d] = speed[d] *
              static_cast<double>(s.cells[d] * (static_cast<long long>(s.roots()[d]) << (s.num_refine + 1)));
  }
  return rate;
}

void put_object(std::string& text, const Settings& s, std::size_t n, const Object& first,
                const Object& last) {
  put(text, "Object {} is the {}\n", n, find_object_type(first.type)->report);
  if (first.bounce == 0) {
    put(text, "Object will not bounce off of walls\n");
  } else {
    put(text, "Object {} will bounce off of walls\n", first.bounce == 1 ? "center" : "edges");
  }
  put_vector(text, "Center starting at", first.centre);
  put_vector(text, "Center end at", last.centre);
  put_vector(text, "Moving at", first.move, " per timestep");
  put_vector(text, "   Rate relative to smallest cell size", rate(s, first.move));
  put_vector(text, "Initial size", first.size);
  put_vector(text, "Final size", last.size);
  put_vector(text, "Size increasing", first.inc, " per timestep");
  put_vector(text, "   Rate relative to smallest cell size", rate(s, first.inc));
  put(text, "\n");
}

const char* method_text(BalanceMethod method) {
  switch (method) {
    case BalanceMethod::rcb:
      return "RCB (Recursive Coordinate Bisection)";
    case BalanceMethod::morton:
      return "Morton style Space Filling Curve";
    case BalanceMethod::hilbert:
      return "Hilbert style Space Filling Curve";
    case BalanceMethod::trunc_hilbert:
      return "Truncated Hilbert style Space Filling Curve";
  }
  return "";
}

}  // namespace

std::string settings_text(const Settings& s, const RunRecord& record) {
  std::string text;
  put(text,
      "\n ================ Start report ===================\n\n          heddle-amr, after Mantevo miniAMR "
      "1.7.0\n");
  put(text, "          variant {}, {} threads\n\n", s.variant, record.threads);
  put(text, "Run on {} ranks arranged in a {} x {} x {} grid\n", s.rank_count(), s.ranks[0], s.ranks[1],
      s.ranks[2]);
  put(text, "initial blocks per rank {} x {} x {}\n", s.init[0], s.init[1], s.init[2]);
  put(text, "block size {} x {} x {}\n", s.cells[0], s.cells[1], s.cells[2]);
  put(text, "Initial ranks arranged by {} across machine\n\n", s.reorder == 1 ? "RCB" : "layer");
  put(text, "change_dir {} group_blocks {} limit_move {}\n", int{s.change_dir}, int{s.group_blocks},
      s.limit_move);
  put(text, "Maximum number of blocks per rank is {}\nNumber of levels of refinement is {}\n", s.max_blocks,
      s.num_refine);
  put(text, "Blocks can change by {} levels per refinement step\n", s.block_change);
  if (s.refine_ghost) put(text, "Ghost cells will be used to determine refinement\n");
  if (s.uniform_refine != 0) {
    put(text, "\nBlocks will be refined uniformly\n\n");
  } else {
    put(text, "\nBlocks will be refined by {} objects\n\n", s.objects.size());
    for (std::size_t n = 0; n < s.objects.size(); ++n) {
      put_object(text, s, n, record.initial_objects[n], record.final_objects[n]);
    }
  }
  put(text, "\nNumber of timesteps is {}\n", record.timesteps.size());
  put(text, "Communicaion/computation stages per timestep is {}\n", s.stages_per_ts);
  put(text, "Communication will be performed with {} sends\n", s.blocking_send ? "blocking" : "nonblocking");
  if (s.checksum_freq == 0) {
    put(text, "Will not perform checksums\n");
  } else {
    put(text, "Will perform checksums every {} stages\n", s.checksum_freq);
  }
  put(text, "Will refine every {} timesteps\n", s.refine_freq);
  if (s.lb_opt == 0) {
    put(text, "Load balance will not be performed\n");
  } else {
    put(text, "Load balance by {}\nLoad balance when inbalanced by {}%\n", method_text(s.method),
        s.inbalance);
  }
  if (s.plot_freq == 0) {
    put(text, "Will not plot results\n");
  } else {
    put(text, "Will plot results every {} timesteps\n", s.plot_freq);
  }
  if (s.stencil == 0) {
    put(text, "Calculate on {} variables with variable stencils\n", s.num_vars);
  } else {
    put(text, "Calculate on {} variables with {} point stencil\n", s.num_vars, s.stencil);
  }
  put(text, "Communicate {} variables at a time\n", s.comm_vars);
  put(text, "Error tolorance for variable sums is 10^(-{})\n", s.error_tol);
  return text;
}

}  // namespace heddle::amr
