#include "amr/io/results_json.hpp"

#include <nlohmann/json.hpp>

#include "amr/field/octree.hpp"
#include "amr/io/over_ranks.hpp"
#include "mesh/fingerprint.hpp"
#include "program/whole_file.hpp"

namespace heddle::amr {
namespace {

using Json = nlohmann::ordered_json;

#ifdef _OPENMP
constexpr int kOpenMpVersion = _OPENMP;
#else
constexpr int kOpenMpVersion = 0;
#endif

Json ave_min_max(const Spread& spread) {
  return Json::array({spread.average, spread.least, spread.most});
}

Json refinements_json(const RunRecord& record) {
  Json list = Json::array();
  for (const RefinementRecord& r : record.refinements) {
    Json objects = Json::array();
    for (const Object& o : r.objects) objects.push_back({{"center", o.centre}, {"size", o.size}});
    list.push_back({{"timestep", r.timestep},
                    {"total_blocks", r.total_blocks},
                    {"cumulative_split", r.cumulative_split},
                    {"cumulative_reformed", r.cumulative_reformed},
                    {"mesh_fingerprint", mesh::to_hex(r.mesh_fingerprint)},
                    {"blocks_per_level", r.blocks_per_level},
                    {"objects", objects}});
  }
  return list;
}

Json checks_json(const Settings& settings, const RunRecord& record) {
  Json list = Json::array();
  for (const CheckRecord& c : record.checks) {
    Json check{{"timestep", c.timestep},
               {"stage", c.stage},
               {"sum", c.sum},
               {"sumsq", c.sumsq},
               {"moment", c.moment}};
    if (static_cast<int>(c.sum.size()) < settings.num_vars) {
      std::vector<int> vars(c.sum.size());
      for (std::size_t v = 0; v < vars.size(); ++v) vars[v] = static_cast<int>(v);
      check["vars"] = vars;
    }
    list.push_back(check);
  }
  return list;
}

/// axis: kAxes for all together.
Json faces_json(const RunRecord& record, int axis) {
  const auto spread = [&](auto value) {
    return ave_min_max(over_ranks(record, [&](const RankRecord& rank) { return value(along(rank, axis)); }));
  };
  return {
      {"exchanged_same_ave_min_max", spread([](const AxisRecord& a) { return a.faces.same; })},
      {"exchanged_diff_ave_min_max", spread([](const AxisRecord& a) { return a.faces.different; })},
      {"boundary_ave_min_max", spread([](const AxisRecord& a) { return a.faces.boundary; })},
      {"messages_received_ave_min_max",
       spread([](const AxisRecord& a) { return a.traffic.messages_received; })},
      {"bytes_received_ave_min_max", spread([](const AxisRecord& a) { return a.traffic.bytes_received; })}};
}

Json report_json(const RunRecord& record) {
  const Counters& c = record.counters;
  const double average =
      c.stages > 0 ? static_cast<double>(c.blocks_over_stages) / static_cast<double>(c.stages) : 0.0;
  return {{"total_fp_ops", c.operations.total()},
          {"adds", c.operations.adds},
          {"muls", c.operations.muls},
          {"divides", c.operations.divides},
          {"checksum_reductions", c.checksums},
          {"refinement_steps", c.refinements},
          {"load_balance_steps", c.balancings},
          {"redistributing_steps", c.redistributions},
          {"total_blocks_over_stages", c.blocks_over_stages},
          {"blocks_per_stage_ave_min_max", Json::array({average, c.fewest_blocks, c.most_blocks})},
          {"max_blocks_on_a_rank", c.peak_blocks},
          {"blocks_split", static_cast<double>(c.split)},
          {"blocks_reformed", static_cast<double>(c.reformed)},
          {"blocks_moved", static_cast<double>(c.moved)},
          {"parents_ave_min_max_final",
           ave_min_max(over_ranks(record, [](const RankRecord& rank) { return rank.parents; }))},
          {"faces_per_rank",
           {{"total", faces_json(record, kAxes)},
            {"x", faces_json(record, 0)},
            {"y", faces_json(record, 1)},
            {"z", faces_json(record, 2)}}},
          {"timesteps_reported", record.timesteps.size()}};
}

Json timings_json(const Timings& t, bool phases_are_separate) {
  Json times{
      {"total", t.total}, {"initialise", t.initialise}, {"stages", t.stages}, {"refine", t.refine},
      {"move", t.move},   {"balance", t.balance},       {"plot", t.plot},     {"checkpoint", t.checkpoint}};
  if (phases_are_separate) {
    times["exchange"] = t.exchange;
    times["stencil"] = t.stencil;
    times["checksum"] = t.checksum;
  }
  return times;
}

Json ranks_json(const RunRecord& record) {
  Json list = Json::array();
  for (const RankRecord& rank : record.ranks) {
    const AxisRecord all = along(rank, kAxes);
    list.push_back({{"wall_seconds", timings_json(rank.timings, record.phases_are_separate)},
                    {"messages_sent", all.traffic.messages_sent},
                    {"messages_received", all.traffic.messages_received},
                    {"bytes_sent", all.traffic.bytes_sent},
                    {"bytes_received", all.traffic.bytes_received},
                    {"faces_filled_here", all.faces.same + all.faces.different + all.faces.boundary},
                    {"message_seconds",
                     {{"post", all.traffic.seconds.post},
                      {"pack", all.traffic.seconds.pack},
                      {"send", all.traffic.seconds.send},
                      {"wait", all.traffic.seconds.wait},
                      {"unpack", all.traffic.seconds.unpack}}},
                    {"partners", rank.partners[kDifferentPartners].average()},
                    {"most_blocks", rank.peak_blocks},
                    {"allocated_bytes", rank.allocated_bytes}});
  }
  return list;
}

}  // namespace

void write_results_json(const Settings& settings, const RunRecord& record) {
  Json timesteps = Json::array();
  for (const TimestepRecord& t : record.timesteps) {
    timesteps.push_back({{"timestep", t.timestep}, {"time_at_start", t.time_at_start}, {"delta", t.delta}});
  }
  const Json results{{"schema", "heddle-amr-1"},
                     {"argv", settings.argv},
                     {"ranks", settings.rank_count()},
                     {"exit_code", record.failed ? 1 : 0},
                     {"num_vars", settings.num_vars},
                     {"variant", settings.variant},
                     {"threads", record.threads},
                     {"openmp_version", kOpenMpVersion},
                     {"initial_sums", record.initial_sums},
                     {"refinements", refinements_json(record)},
                     {"timesteps", timesteps},
                     {"checks", checks_json(settings, record)},
                     {"mismatch_messages", record.mismatch_messages},
                     {"report", report_json(record)},
                     {"wall_seconds", timings_json(record.timings, record.phases_are_separate)},
                     {"of_ranks", ranks_json(record)},
                     {"cell_updates", record.counters.cell_updates},
                     {"cell_updates_per_second", record.cell_updates_per_second()}};
  program::write_whole_file(settings.results, results.dump(1) + "\n");
}

}  // namespace heddle::amr
