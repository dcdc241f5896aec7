#include <fmt/core.h>

#include <iterator>

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
  /// A measured value: on one rank its average, minimum and maximum are the same.
  void add_spread(const std::string& key, double value, int indent = 0) {
    for (const char* suffix : {"_ave", "_min", "_max"}) add(key + suffix, value, indent);
  }
  void add_zeros(const std::string& prefix, std::initializer_list<const char*> keys, int indent) {
    for (const char* key : keys) add_spread(prefix + key, 0.0, indent);
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

/// The communication lines of one direction, or of all together.
void add_communication(Lines& lines, const std::string& name, const FaceCounts& faces, int indent) {
  lines.add_zeros(name,
                  {"_post_recv", "_pack_faces", "_send_mess", "_exch_same", "_exch_diff", "_apply_bc",
                   "_wait_time", "_unpack_faces"},
                  indent);
  const bool is_total = name == "total";
  if (is_total) {
    for (const char* key : {"comm_partners_total", "comm_partners_unique"}) {
      for (const char* suffix : {"", "_min", "_max"}) lines.add(std::string(key) + suffix, 0.0, indent);
    }
  } else {
    lines.add(name + "_comm_partners", 0.0, indent);
    lines.add(name + "_comm_partners_min", 0, indent);
    lines.add(name + "_comm_partners_max", 0, indent);
  }
  lines.add_zeros(name, {"_mess_recv", "_byte_recv", "_face_recv", "_mess_send", "_byte_send", "_face_send"},
                  indent);
  lines.add_spread(name + "_face_exch_same", static_cast<double>(faces.same), indent);
  lines.add_spread(name + "_face_exch_diff", static_cast<double>(faces.different), indent);
  lines.add_spread(name + "_face_bc_apply", static_cast<double>(faces.boundary), indent);
}

void add_refinement(Lines& lines, const RunRecord& r) {
  const Counters& c = r.counters;
  const Timings& t = r.timings;
  lines.add_spread("refine_time", t.refine);
  lines.add("total_blocks_ts_ave",
            c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0,
            3);
  lines.add("total_blocks_ts_min", c.fewest_blocks, 3);
  lines.add("total_blocks_ts_max", c.most_blocks, 3);
  lines.add_spread("blocks_split", static_cast<double>(c.split), 3);
  lines.add_spread("blocks_reformed", static_cast<double>(c.reformed), 3);
  lines.add_zeros("blocks_moved", {"_tot", "_lb", "_redist", "_coarsen"}, 3);
  lines.add_spread("time_compare_obj", t.compare_objects, 3);
  lines.add_spread("time_mark_refine", t.mark, 3);
  lines.add_spread("time_comm_block1", 0.0, 3);
  lines.add_spread("time_split_block", t.split, 3);
  lines.add_zeros("time", {"_comm_block2", "_sync", "_misc"}, 3);
  lines.add_spread("time_total_coarsen", t.merge, 3);
  lines.add_spread("time_coarsen", t.merge, 6);
  lines.add_zeros("time_coarsen", {"_pack", "_move", "_unpack"}, 6);
  lines.add_spread("time_total_redist", 0.0, 3);
  lines.add_zeros("time_redist", {"_choose", "_pack", "_move", "_unpack"}, 6);
  lines.add_spread("time_total_load_bal", 0.0, 3);
  lines.add_zeros("time", {"_load_bal_sort", "_lb_move_dots", "_lb_move_blocks"}, 6);
  lines.add_zeros("time_lb_mb", {"_pack", "_move", "_unpack", "_misc"}, 9);
}

}  // namespace

std::string results_yaml(const Settings& s, const RunRecord& r) {
  Lines lines;
  add_settings(lines, s, r);
  const Timings& t = r.timings;
  const double compute = r.phases_are_separate ? t.stencil : t.stages;
  const double gflops = compute > 0.0 ? r.counters.operations.total() / compute / 1073741824.0 : 0.0;
  lines.add_spread("total_time", t.total);
  lines.add_spread("memory_used", static_cast<double>(r.allocated_bytes));
  lines.add_spread("compute_time", compute);
  lines.add("total_gflops", gflops);
  lines.add("ave_gflops", gflops);
  lines.add("cell_updates_per_second", r.cell_updates_per_second());
  lines.add_spread("total_comm", t.exchange);
  FaceCounts all;
  for (const FaceCounts& f : r.counters.faces) {
    all.same += f.same;
    all.different += f.different;
    all.boundary += f.boundary;
  }
  add_communication(lines, "total", all, 3);
  for (int d = 0; d < kAxes; ++d) {
    const std::string name(1, "xyz"[d]);
    lines.add_spread(name + "_comm", 0.0, 3);
    add_communication(lines, name, r.counters.faces[d], 6);
  }
  lines.add_spread("gridsum_time", t.checksum);
  lines.add_spread("gridsum_reduce", 0.0, 3);
  lines.add_spread("gridsum_calc", t.checksum, 3);
  add_refinement(lines, r);
  lines.add_spread("plot_time", t.plot);
  return lines.take();
}

}  // namespace heddle::amr
