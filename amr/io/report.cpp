#include "amr/io/report.hpp"

#include <fmt/core.h>

#include <array>
#include <iterator>
#include <utility>

#include "amr/io/over_ranks.hpp"
#include "program/whole_file.hpp"

namespace heddle::amr {
namespace {

template <class... Args>
void put(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

void put_spread(std::string& text, const char* label, const Spread& spread) {
  put(text, "{} {:.6f} {:.6f} {:.6f} {:.6f}\n", label, spread.average, spread.deviation, spread.least,
      spread.most);
}

/// Of one of the ranks' times.
void put_times(std::string& text, const char* label, const RunRecord& r, double Timings::* time) {
  put_spread(text, label, times(r, time));
}

void put_heading(std::string& text, const char* title) {
  constexpr const char* kRule = "---------------------------------------------";
  put(text, "\n{}\n{}\n{}\n\n", kRule, title, kRule);
}

void put_columns(std::string& text) {
  put(text, "\n                              average    stddev  minimum  maximum\n");
}

void put_total(std::string& text, const RunRecord& r) {
  put_times(text, "\nTotal time for test: ave, std, min, max (sec):", r, &Timings::total);
  put(text, "\n");
  put_spread(text, "\nNumber of malloc calls: ave, std, min, max (sec):",
             over_ranks(r, [](const RankRecord& rank) { return rank.allocations; }));
  put_spread(text, "\nAmount malloced: ave, std, min, max:", over_ranks(r, [](const RankRecord& rank) {
               return rank.allocated_bytes;
             }));
  put_times(text, "\nInitailize Time: ave, stddev, min, max (sec):", r, &Timings::initialise);
}

void put_computation(std::string& text, const RunRecord& r) {
  const OperationCounts& ops = r.counters.operations;
  const Spread compute = compute_times(r);
  const double gflops = compute.average > 0.0 ? ops.total() / compute.average / 1073741824.0 : 0.0;
  put_heading(text, "          Computational Performance");
  put_spread(text, "     Time: ave, stddev, min, max (sec):", compute);
  put(text, "\n     total GFLOPS:             {:.6f}\n     Average GFLOPS per rank:  {:.6f}\n", gflops,
      gflops / static_cast<double>(r.ranks.size()));
  put(text, "\n     Total floating point ops: {:.6f}\n", ops.total());
  put(text,
      "\n        Adds:                  {:.6f}\n        Muls:                  {:.6f}\n        Divides:      "
      "         {:.6f}\n",
      ops.adds, ops.muls, ops.divides);
  put(text, "\n     Cell updates per second:  {:.6f}\n", r.cell_updates_per_second());
}

void put_partners(std::string& text, const RunRecord& r, int which, const char* label) {
  const Spread found = partners(r, which);
  put(text, "     Comm partners {} {:.6f} {:.0f} {:.0f}\n", label, found.average, found.least, found.most);
}

/// axis: kAxes for all together.
void put_faces(std::string& text, const RunRecord& r, int axis) {
  constexpr std::array<const char*, kAxisFigures> kLabels{
      "     Messages received      :", "     Bytes received         :", "     Faces received         :",
      "     Messages sent          :", "     Bytes sent             :", "     Faces sent             :",
      "     Faces exchanged same   :", "     Faces exchanged diff   :", "     Faces with BC applied  :"};
  put_columns(text);
  constexpr std::array<const char*, kMessageTime.size()> kTimes{
      "     Post IRecv             :", "     Pack faces             :", "     Send messages          :",
      "     Wait time              :", "     Unpack faces           :"};
  put_spread(text, "     Messages in all        :", message_times(r, axis));
  for (std::size_t n = 0; n < kTimes.size(); ++n)
    put_spread(text, kTimes[n], message_time(r, axis, kMessageTime[n]));
  put(text, "\n");
  if (axis == kAxes) {
    put_partners(text, r, kAllPartners, "total ave, min, max :");
    put_partners(text, r, kDifferentPartners, "uniq ave, min, max  :");
  } else {
    put_partners(text, r, axis, "ave, min, max       :");
  }
  put(text, "\n");
  for (int n = 0; n < kAxisFigures; ++n) put_spread(text, kLabels[n], axis_figure(r, axis, n));
}

void put_communication(std::string& text, const RunRecord& r) {
  put_heading(text, "           Interblock communication");
  put_times(text, "     Time: ave, stddev, min, max (sec):", r, &Timings::exchange);
  put(text, "\n\nTotal communication:\n");
  put_faces(text, r, kAxes);
  for (int d = 0; d < kAxes; ++d) {
    put(text, "\n{} direction communication statistics:\n", "XYZ"[d]);
    put_faces(text, r, d);
  }
}

void put_gridsum(std::string& text, const Settings& s, const RunRecord& r) {
  put_heading(text, "             Gridsum performance");
  put_times(text, "     Time: ave, stddev, min, max (sec):", r, &Timings::checksum);
  put(text, "\n     total number:             {}\n     number per timestep:      {}\n", r.counters.checksums,
      s.num_vars);
}

void put_refinement(std::string& text, const RunRecord& r) {
  const Counters& c = r.counters;
  const double average =
      c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0;
  put_heading(text, "               Mesh Refinement");
  put_times(text, "     Time: ave, stddev, min, max (sec):", r, &Timings::refine);
  put(text, "\n     Number of refinement steps: {}\n\n     Number of load balance steps: {}\n", c.refinements,
      c.balancings);
  put(text, "\n     Number of redistributing steps: {}\n", c.redistributions);
  put(text, "\n     Total blocks           : {}\n", c.blocks_over_stages);
  put(text, "     Blocks/timestep ave, min, max : {:.6f} {} {}\n", average, c.fewest_blocks, c.most_blocks);
  put(text, "     Max blocks on a processor at any time: {}\n", c.peak_blocks);
  put(text, "     total blocks split     : {}.000000\n     total blocks reformed  : {}.000000\n", c.split,
      c.reformed);
  const Spread parents = over_ranks(r, [](const RankRecord& rank) { return rank.parents; });
  put(text,
      "\n     total blocks moved     : {}.000000\n\n     parents ave, min, max  : {:.6f} {:.0f} {:.0f}\n",
      c.moved, parents.average, parents.least, parents.most);
  put_columns(text);
  put(text, "     Time:\n");
  put_times(text, "        initial refine      :", r, &Timings::refine_initial);
  put_times(text, "        compare objects     :", r, &Timings::compare_objects);
  put_times(text, "        mark refine/coarsen :", r, &Timings::mark);
  put_times(text, "        split blocks        :", r, &Timings::split);
  put_times(text, "        total coarsen blocks:", r, &Timings::merge);
  put_times(text, "        moves before joining:", r, &Timings::move);
  put_times(text, "        load balance        :", r, &Timings::balance);
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
  put_times(text, "     Time: ave, stddev, min, max (sec):", r, &Timings::plot);
  put(text, "\n     Number of plot steps: {}\n\n ================== End report ===================\n",
      settings.plot_freq > 0 ? 1 + r.timesteps.size() / static_cast<std::size_t>(settings.plot_freq) : 0);
  return text;
}

void write_reports(const Settings& settings, const RunRecord& record) {
  if ((settings.report_perf & kReportYaml) != 0)
    program::write_whole_file("results.yaml", results_yaml(settings, record));
  if ((settings.report_perf & kReportText) != 0)
    program::write_whole_file("results.txt", report_text(settings, record));
  if (!settings.reports_on_console(kReportConsole)) return;
  const Counters& c = record.counters;
  const Timings& t = record.timings;
  fmt::print(
      "{}Summary: ranks {} ts {} time {:.6f} calc {:.6f} comm {:.6f} red {:.6f} refine {:.6f} blocks/ts "
      "{:.6f} max_blocks {}\n",
      report_text(settings, record), settings.rank_count(), record.timesteps.size(), t.total, t.stencil,
      t.exchange, t.checksum, t.refine,
      c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0,
      c.peak_blocks);
}

}  // namespace heddle::amr
