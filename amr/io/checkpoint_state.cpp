#include "amr/io/checkpoint_state.hpp"

#include <fmt/core.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "program/user_error.hpp"
#include "storage/checkpoint.hpp"

namespace heddle::amr {

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Object, type, bounce, centre, move, size, inc)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RefinementRecord, timestep, blocks_per_level, total_blocks,
                                   cumulative_split, cumulative_reformed, mesh_fingerprint, objects)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimestepRecord, timestep, time_at_start, delta)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OperationCounts, adds, muls, divides)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Counters, operations, checksums, refinements, redistributions,
                                   blocks_over_stages, stages, fewest_blocks, most_blocks, peak_blocks, split,
                                   reformed, balancings, moved)

namespace {

using program::UserError;

// JSON has no numbers that are not finite: sums of a run that diverges are null there.
Json sums_json(const std::vector<double>& sums) {
  return sums;
}
std::vector<double> sums_of(const Json& json) {
  std::vector<double> sums;
  for (const Json& sum : json)
    sums.push_back(sum.is_null() ? std::numeric_limits<double>::quiet_NaN() : sum.get<double>());
  return sums;
}

/// An option whose value decides what is computed.
struct Fixed {
  const char* name;
  Json (*get)(const Settings&);
  void (*set)(Settings&, const Json&);
};

template <auto Member>
constexpr Fixed fixed(const char* name) {
  return {name, [](const Settings& s) { return Json(s.*Member); },
          [](Settings& s, const Json& value) { value.get_to(s.*Member); }};
}
template <int Axis>
constexpr Fixed fixed_cells(const char* name) {
  return {name, [](const Settings& s) { return Json(s.cells[Axis]); },
          [](Settings& s, const Json& value) { value.get_to(s.cells[Axis]); }};
}

// Decides what is computed where a variable's stencil reads others, of groups that come later: stencil 0.
constexpr const char* kGroups = "--comm_vars";

constexpr Fixed kFixed[] = {
    fixed_cells<0>("--nx"),
    fixed_cells<1>("--ny"),
    fixed_cells<2>("--nz"),
    fixed<&Settings::num_refine>("--num_refine"),
    fixed<&Settings::block_change>("--block_change"),
    fixed<&Settings::uniform_refine>("--uniform_refine"),
    fixed<&Settings::refine_freq>("--refine_freq"),
    fixed<&Settings::refine_ghost>("--refine_ghost"),
    fixed<&Settings::stages_per_ts>("--stages_per_ts"),
    fixed<&Settings::num_vars>("--num_vars"),
    fixed<&Settings::stencil>("--stencil"),
    fixed<&Settings::checksum_freq>("--checksum_freq"),
    fixed<&Settings::code>("--code"),
    fixed<&Settings::permute>("--permute"),
    fixed<&Settings::comm_vars>(kGroups),
    {"--initial-values", [](const Settings& s) { return Json(static_cast<int>(s.initial_values)); },
     [](Settings& s, const Json& value) { s.initial_values = static_cast<InitialValues>(value.get<int>()); }},
};

Json settings_json(const Settings& s) {
  Json json;
  for (const Fixed& option : kFixed) json[option.name] = option.get(s);
  json["--num_tsteps"] = s.num_tsteps;
  json["num_tsteps_given"] = s.num_tsteps_given;
  json["--time"] = s.end_time;
  json["time_given"] = s.time_given;
  return json;
}

bool are_equal(const std::vector<Object>& a, const std::vector<Object>& b) {
  return Json(a) == Json(b);
}

[[noreturn]] void refuse(const std::string& file) {
  throw UserError(fmt::format("{} is not one that this program has written; give another --restart", file));
}

}  // namespace

std::string to_text(const Settings& settings, const RunState& state) {
  const RunRecord& r = state.record;
  Json checks = Json::array(), plots = Json::array();
  for (const CheckRecord& c : r.checks)
    checks.push_back({{"timestep", c.timestep},
                      {"stage", c.stage},
                      {"sum", sums_json(c.sum)},
                      {"sumsq", sums_json(c.sumsq)},
                      {"moment", sums_json(c.moment)}});
  for (const auto& plot : state.plots) plots.push_back({{"step", plot.step}, {"time", plot.time}});
  const Json json{{"settings", settings_json(settings)},
                  {"timestep", state.timestep},
                  {"global_stage", state.global_stage},
                  {"time", state.time},
                  {"delta", state.delta},
                  {"objects", state.objects},
                  {"old_sums", sums_json(state.old_sums)},
                  {"plots", plots},
                  {"record",
                   {{"initial_sums", sums_json(r.initial_sums)},
                    {"initial_objects", r.initial_objects},
                    {"refinements", r.refinements},
                    {"timesteps", r.timesteps},
                    {"checks", checks},
                    {"counters", r.counters}}}};
  return json.dump(1);
}

RunState run_state_of(const std::string& text, const std::string& file) {
  try {
    const Json json = Json::parse(text);
    RunState state;
    json.at("timestep").get_to(state.timestep);
    json.at("global_stage").get_to(state.global_stage);
    json.at("time").get_to(state.time);
    json.at("delta").get_to(state.delta);
    json.at("objects").get_to(state.objects);
    state.old_sums = sums_of(json.at("old_sums"));
    for (const Json& plot : json.at("plots"))
      state.plots.push_back({plot.at("step").get<int>(), plot.at("time").get<double>()});
    const Json& record = json.at("record");
    state.record.initial_sums = sums_of(record.at("initial_sums"));
    record.at("initial_objects").get_to(state.record.initial_objects);
    record.at("refinements").get_to(state.record.refinements);
    record.at("timesteps").get_to(state.record.timesteps);
    for (const Json& c : record.at("checks"))
      state.record.checks.push_back({c.at("timestep").get<int>(), c.at("stage").get<int>(),
                                     sums_of(c.at("sum")), sums_of(c.at("sumsq")), sums_of(c.at("moment"))});
    record.at("counters").get_to(state.record.counters);
    return state;
  } catch (const nlohmann::json::exception&) {
    refuse(file);
  }
}

void take_from_checkpoint(Settings& s, const std::function<bool(const std::string&)>& is_given) {
  const storage::CheckpointReader reader(s.checkpoint.restart, kCheckpointProgram);
  const storage::CheckpointHead& head = reader.head();
  if (head.roots.size() != kAxes || head.ratio != kRatio) refuse(s.checkpoint.restart);
  const auto differs = [&](const std::string& option, const std::string& given, const std::string& saved) {
    throw UserError(
        fmt::format("{} {} differs from {} in {}; leave it out", option, given, saved, s.checkpoint.restart));
  };
  int timesteps = 0;  // that the run was to have, and until when
  double end = std::numeric_limits<double>::infinity();
  try {
    const Json saved = Json::parse(head.state).at("settings");
    const bool are_groups_fixed = saved.at("--stencil") == 0;
    for (const Fixed& option : kFixed) {
      if (option.name == std::string_view(kGroups) && !are_groups_fixed) continue;
      const Json& value = saved.at(option.name);
      // 0 stands for another option's value.
      const bool is_same = option.get(s) == value ||
                           (option.name == std::string_view("--block_change") && s.block_change == 0 &&
                            value == saved.at("--num_refine")) ||
                           (option.name == std::string_view(kGroups) && value == saved.at("--num_vars") &&
                            (s.comm_vars == 0 || s.comm_vars > value));
      if (is_given(option.name) && !is_same) differs(option.name, option.get(s).dump(), value.dump());
      option.set(s, value);
    }
    timesteps = saved.at("--num_tsteps").get<int>();
    if (saved.at("time_given").get<bool>()) end = saved.at("--time").get<double>();
    if (!is_given("--num_tsteps")) saved.at("--num_tsteps").get_to(s.num_tsteps);
    if (!is_given("--time")) saved.at("--time").get_to(s.end_time);
    s.num_tsteps_given |= saved.at("num_tsteps_given").get<bool>();
    s.time_given |= saved.at("time_given").get<bool>();
  } catch (const nlohmann::json::exception&) {
    refuse(s.checkpoint.restart);
  }
  for (int d = 0; d < kAxes; ++d) {
    const std::string option = fmt::format("--init_{}", "xyz"[d]);
    if (is_given(option) && s.init[d] * s.ranks[d] != head.roots[static_cast<std::size_t>(d)])
      differs(option, fmt::format("{} x {} ranks", s.init[d], s.ranks[d]),
              std::to_string(head.roots[static_cast<std::size_t>(d)]));
  }
  s.restart_roots = {head.roots[0], head.roots[1], head.roots[2]};
  const RunState state = run_state_of(head.state, s.checkpoint.restart);
  // Less than was asked for then; a run may end beyond what it was asked for.
  if (s.num_tsteps < timesteps && s.num_tsteps < state.timestep)
    throw UserError(fmt::format(
        "--num_tsteps {} is before timestep {}, which {} is of; give more, or an earlier --restart",
        s.num_tsteps, state.timestep, s.checkpoint.restart));
  if (s.time_given && s.end_time < end && s.end_time < state.time)
    throw UserError(fmt::format("--time {} is before {}, the time of {}; give more, or an earlier --restart",
                                s.end_time, state.time, s.checkpoint.restart));
  if (!s.objects.empty() && !are_equal(s.objects, state.record.initial_objects))
    throw UserError(
        fmt::format("--object differs from what {} began with; leave it out", s.checkpoint.restart));
  s.objects = state.objects;
}

}  // namespace heddle::amr
