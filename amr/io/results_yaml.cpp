#include <fmt/core.h>

#include <array>
#include <iterator>

#include "amr/io/over_ranks.hpp"
#include "amr/io/report.hpp"

namespace heddle::amr {
namespace {

/// Flat `key: value` lines; sub-items are indented. Keys stay unique but for `code`, which the reference
/// writes twice: the program's name, and what --code said.
class Lines {
 public:
  template <class Value>
  void add(const std::string& key, const Value& value, int indent = 0) {
    if constexpr (std::is_floating_point_v<Value>) {
      fmt::format_to(std::back_inserter(text_), "{:{}}{}: {:.6f}\n", "", indent, key, value);
    } else {
      fmt::format_to(std::back_inserter(text_), "{:{}}{}: {}\n", "", indent, key, value);
    }
  }
  /// A measured value over the ranks.
  void add_spread(const std::string& key, const Spread& spread, int indent = 0) {
    add(key + "_ave", spread.average, indent);
    add(key + "_min", spread.least, indent);
    add(key + "_max", spread.most, indent);
  }
  /// What is not measured.
  void add_zeros(const std::string& prefix, std::initializer_list<const char*> keys, int indent) {
    for (const char* key : keys) add_spread(prefix + key, {}, indent);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_objects(Lines& lines, const RunRecord& record) {
  for (std::size_t n = 0; n < record.final_objects.size(); ++n) {
    const Object& o = record.final_objects[n];
    const std::string name = fmt::format("obj{}", n);
    lines.add(name + "type", o.type);
    lines.add(name + "bounce", o.bounce);
    for (const auto& [field, values] : {std::pair{"center", &o.centre}, std::pair{"move", &o.move},
                                        std::pair{"size", &o.size}, std::pair{"inc", &o.inc}}) {
      for (int d = 0; d < kAxes; ++d) lines.add(fmt::format("{}{}_{}", name, field, "xyz"[d]), (*values)[d]);
    }
  }
}

void add_settings(Lines& lines, const Settings& s, const RunRecord& r) {
  lines.add("code", "heddle-amr");
  lines.add("version", "after miniAMR 1.7.0");
  lines.add("variant", s.variant);
  lines.add("threads", r.threads);
  lines.add("ranks", s.rank_count());
  for (int d = 0; d < kAxes; ++d) lines.add(fmt::format("np{}", "xyz"[d]), s.ranks[d]);
  for (int d = 0; d < kAxes; ++d) lines.add(fmt::format("init_block_{}", "xyz"[d]), s.init[d]);
  for (int d = 0; d < kAxes; ++d) lines.add(fmt::format("{}_block_size", "xyz"[d]), s.cells[d]);
  lines.add("reorder", s.reorder);
  lines.add("permute", int{s.permute});
  lines.add("max_blocks_allowed", s.max_blocks);
  lines.add("code", s.code);
  lines.add("num_refine", s.num_refine);
  lines.add("block_change", s.block_change);
  lines.add("refine_ghost", int{s.refine_ghost});
  lines.add("uniform_refine", s.uniform_refine);
  lines.add("num_objects", s.objects.size());
  add_objects(lines, r);
  lines.add("num_tsteps", r.timesteps.size());
  lines.add("stages_per_timestep", s.stages_per_ts);
  lines.add("nonblocking", int{!s.blocking_send});
  lines.add("checksum_freq", s.checksum_freq);
  lines.add("refine_freq", s.refine_freq);
  lines.add("lb_opt", s.lb_opt);
  lines.add("inbalance", s.inbalance);
  lines.add("lb_method", static_cast<int>(s.method));
  lines.add("plot_freq", s.plot_freq);
  lines.add("num_vars", s.num_vars);
  lines.add("stencil", s.stencil);
  lines.add("comm_vars", s.comm_vars);
  lines.add("error_tol", s.error_tol);
  lines.add("send_faces", int{s.send_faces});
}

/// The communication lines of one direction, or with kAxes of all together.
void add_communication(Lines& lines, const RunRecord& r, int axis) {
  const bool is_total = axis == kAxes;
  const std::string name = is_total ? "total" : std::string(1, "xyz"[axis]);
  const int indent = is_total ? 3 : 6;
  constexpr std::array<const char*, kMessageTime.size()> kTimes{"_post_recv", "_pack_faces", "_send_mess",
                                                                "_wait_time", "_unpack_faces"};
  for (std::size_t n = 0; n < kTimes.size(); ++n)
    lines.add_spread(name + kTimes[n], message_time(r, axis, kMessageTime[n]), indent);
  lines.add_zeros(name, {"_exch_same", "_exch_diff", "_apply_bc"}, indent);  // one time with the messages'
  const auto add_partners = [&](const std::string& key, int which) {
    const Spread found = partners(r, which);
    lines.add(key, found.average, indent);
    lines.add(key + "_min", found.least, indent);
    lines.add(key + "_max", found.most, indent);
  };
  if (is_total) {
    add_partners("comm_partners_total", kAllPartners);
    add_partners("comm_partners_unique", kDifferentPartners);
  } else {
    add_partners(name + "_comm_partners", axis);
  }
  constexpr std::array<const char*, kAxisFigures> kKeys{
      "_mess_recv", "_byte_recv",      "_face_recv",      "_mess_send",    "_byte_send",
      "_face_send", "_face_exch_same", "_face_exch_diff", "_face_bc_apply"};
  for (int n = 0; n < kAxisFigures; ++n) lines.add_spread(name + kKeys[n], axis_figure(r, axis, n), indent);
}

void add_refinement(Lines& lines, const RunRecord& r) {
  const Counters& c = r.counters;
  // Counted for all ranks together.
  const auto evenly = [&](long long count) {
    const double average = static_cast<double>(count) / static_cast<double>(r.ranks.size());
    return Spread{average, 0.0, average, average};
  };
  lines.add_spread("refine_time", times(r, &Timings::refine));
  lines.add("total_blocks_ts_ave",
            c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0,
            3);
  lines.add("total_blocks_ts_min", c.fewest_blocks, 3);
  lines.add("total_blocks_ts_max", c.most_blocks, 3);
  lines.add_spread("blocks_split", evenly(c.split), 3);
  lines.add_spread("blocks_reformed", evenly(c.reformed), 3);
  lines.add_spread("blocks_moved_tot", evenly(c.moved), 3);
  lines.add_zeros("blocks_moved", {"_lb", "_redist", "_coarsen"}, 3);
  lines.add_spread("time_compare_obj", times(r, &Timings::compare_objects), 3);
  lines.add_spread("time_mark_refine", times(r, &Timings::mark), 3);
  lines.add_zeros("time_comm_block1", {""}, 3);
  lines.add_spread("time_split_block", times(r, &Timings::split), 3);
  lines.add_zeros("time", {"_comm_block2", "_sync", "_misc"}, 3);
  lines.add_spread("time_total_coarsen", times(r, &Timings::merge), 3);
  lines.add_spread("time_coarsen", times(r, &Timings::merge), 6);
  lines.add_zeros("time_coarsen", {"_pack", "_move", "_unpack"}, 6);
  lines.add_zeros("time_total_redist", {""}, 3);
  lines.add_zeros("time_redist", {"_choose", "_pack", "_move", "_unpack"}, 6);
  lines.add_spread("time_total_load_bal", times(r, &Timings::balance), 3);
  lines.add_zeros("time", {"_load_bal_sort", "_lb_move_dots", "_lb_move_blocks"}, 6);
  lines.add_zeros("time_lb_mb", {"_pack", "_move", "_unpack", "_misc"}, 9);
}

}  // namespace

std::string results_yaml(const Settings& s, const RunRecord& r) {
  Lines lines;
  add_settings(lines, s, r);
  const Spread compute = compute_times(r);
  const double gflops =
      compute.average > 0.0 ? r.counters.operations.total() / compute.average / 1073741824.0 : 0.0;
  lines.add_spread("total_time", times(r, &Timings::total));
  lines.add_spread("memory_used", over_ranks(r, [](const RankRecord& rank) { return rank.allocated_bytes; }));
  lines.add_spread("compute_time", compute);
  lines.add("total_gflops", gflops);
  lines.add("ave_gflops", gflops / static_cast<double>(r.ranks.size()));
  lines.add("cell_updates_per_second", r.cell_updates_per_second());
  lines.add_spread("total_comm", times(r, &Timings::exchange));
  add_communication(lines, r, kAxes);
  for (int d = 0; d < kAxes; ++d) {
    lines.add_spread(std::string(1, "xyz"[d]) + "_comm", message_times(r, d), 3);
    add_communication(lines, r, d);
  }
  lines.add_spread("gridsum_time", times(r, &Timings::checksum));
  lines.add_zeros("gridsum_reduce", {""}, 3);
  lines.add_spread("gridsum_calc", times(r, &Timings::checksum), 3);
  add_refinement(lines, r);
  lines.add_spread("plot_time", times(r, &Timings::plot));
  return lines.take();
}

}  // namespace heddle::amr
