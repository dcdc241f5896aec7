#include "amr/io/report.hpp"

#include <fmt/core.h>

#include <iterator>
#include <utility>

#include "amr/io/atomic_file.hpp"

namespace heddle::amr {
namespace {

template <class... Args>
void put(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

/// On one rank average, minimum and maximum are the same and the deviation is 0.
void put_spread(std::string& text, const char* label, double value) {
  put(text, "{} {:.6f} 0.000000 {:.6f} {:.6f}\n", label, value, value, value);
}

void put_heading(std::string& text, const char* title) {
  constexpr const char* kRule = "---------------------------------------------";
  put(text, "\n{}\n{}\n{}\n\n", kRule, title, kRule);
}

void put_columns(std::string& text) {
  put(text, "\n                              average    stddev  minimum  maximum\n");
}

void put_total(std::string& text, const RunRecord& r) {
  const auto allocations = static_cast<double>(r.allocations);
  const auto bytes = static_cast<double>(r.allocated_bytes);
  put_spread(text, "\nTotal time for test: ave, std, min, max (sec):", r.timings.total);
  put(text, "\n");
  put_spread(text, "\nNumber of malloc calls: ave, std, min, max (sec):", allocations);
  put_spread(text, "\nAmount malloced: ave, std, min, max:", bytes);
  put_spread(text, "\nInitailize Time: ave, stddev, min, max (sec):", r.timings.initialise);
}

void put_computation(std::string& text, const RunRecord& r) {
  const OperationCounts& ops = r.counters.operations;
  // Where the phases overlap, only their sum is known.
  const double seconds = r.phases_are_separate ? r.timings.stencil : r.timings.stages;
  const double gflops = seconds > 0.0 ? ops.total() / seconds / 1073741824.0 : 0.0;
  put_heading(text, "          Computational Performance");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", seconds);
  put(text, "\n     total GFLOPS:             {:.6f}\n     Average GFLOPS per rank:  {:.6f}\n", gflops,
      gflops);
  put(text, "\n     Total floating point ops: {:.6f}\n", ops.total());
  put(text,
      "\n        Adds:                  {:.6f}\n        Muls:                  {:.6f}\n        Divides:      "
      "         {:.6f}\n",
      ops.adds, ops.muls, ops.divides);
  put(text, "\n     Cell updates per second:  {:.6f}\n", r.cell_updates_per_second());
}

void put_faces(std::string& text, const FaceCounts& faces) {
  const std::pair<const char*, double> rows[] = {
      {"     Messages received      :", 0.0},
      {"     Bytes received         :", 0.0},
      {"     Faces received         :", 0.0},
      {"     Messages sent          :", 0.0},
      {"     Bytes sent             :", 0.0},
      {"     Faces sent             :", 0.0},
      {"     Faces exchanged same   :", static_cast<double>(faces.same)},
      {"     Faces exchanged diff   :", static_cast<double>(faces.different)},
      {"     Faces with BC applied  :", static_cast<double>(faces.boundary)},
  };
  for (const auto& [label, value] : rows) put_spread(text, label, value);
}

void put_communication(std::string& text, const RunRecord& r) {
  put_heading(text, "           Interblock communication");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", r.timings.exchange);
  FaceCounts all;
  for (const FaceCounts& f : r.counters.faces) {
    all.same += f.same;
    all.different += f.different;
    all.boundary += f.boundary;
  }
  put(text, "\n\nTotal communication:\n");
  put_columns(text);
  put_faces(text, all);
  for (int d = 0; d < kAxes; ++d) {
    put(text, "\n{} direction communication statistics:\n", "XYZ"[d]);
    put_columns(text);
    put_faces(text, r.counters.faces[d]);
  }
}

void put_gridsum(std::string& text, const Settings& s, const RunRecord& r) {
  put_heading(text, "             Gridsum performance");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", r.timings.checksum);
  put(text, "\n     total number:             {}\n     number per timestep:      {}\n", r.counters.checksums,
      s.num_vars);
}

void put_refinement(std::string& text, const RunRecord& r) {
  const Counters& c = r.counters;
  const Timings& t = r.timings;
  const double average =
      c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0;
  put_heading(text, "               Mesh Refinement");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", t.refine);
  put(text, "\n     Number of refinement steps: {}\n\n     Number of load balance steps: 0\n", c.refinements);
  put(text, "\n     Number of redistributing steps: {}\n", c.redistributions);
  put(text, "\n     Total blocks           : {}\n", c.blocks_over_stages);
  put(text, "     Blocks/timestep ave, min, max : {:.6f} {} {}\n", average, c.fewest_blocks, c.most_blocks);
  put(text, "     Max blocks on a processor at any time: {}\n", c.peak_blocks);
  put(text, "     total blocks split     : {}.000000\n     total blocks reformed  : {}.000000\n", c.split,
      c.reformed);
  put(text, "\n     total blocks moved     : 0.000000\n\n     parents ave, min, max  : {}.000000 {} {}\n",
      c.parents, c.parents, c.parents);
  put_columns(text);
  put(text, "     Time:\n");
  put_spread(text, "        initial refine      :", t.refine_initial);
  put_spread(text, "        compare objects     :", t.compare_objects);
  put_spread(text, "        mark refine/coarsen :", t.mark);
  put_spread(text, "        split blocks        :", t.split);
  put_spread(text, "        total coarsen blocks:", t.merge);
}

}  // namespace

std::string report_text(const Settings& settings, const RunRecord& r) {
  std::string text = settings_text(settings, r);
  put_total(text, r);
  put_computation(text, r);
  put_communication(text, r);
  put_gridsum(text, settings, r);
  put_refinement(text, r);
  put_heading(text, "                   Plot");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", r.timings.plot);
  put(text, "\n     Number of plot steps: {}\n\n ================== End report ===================\n",
      settings.plot_freq > 0 ? 1 + r.timesteps.size() / static_cast<std::size_t>(settings.plot_freq) : 0);
  return text;
}

void write_reports(const Settings& settings, const RunRecord& record) {
  if ((settings.report_perf & kReportYaml) != 0)
    write_whole_file("results.yaml", results_yaml(settings, record));
  if ((settings.report_perf & kReportText) != 0)
    write_whole_file("results.txt", report_text(settings, record));
  if (!settings.reports_on_console(kReportConsole)) return;
  const Counters& c = record.counters;
  const Timings& t = record.timings;
  fmt::print(
      "{}Summary: ranks 1 ts {} time {:.6f} calc {:.6f} comm {:.6f} red {:.6f} refine {:.6f} blocks/ts "
      "{:.6f} max_blocks {}\n",
      report_text(settings, record), record.timesteps.size(), t.total, t.stencil, t.exchange, t.checksum,
      t.refine,
      c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0,
      c.peak_blocks);
}

}  // namespace heddle::amr
