#include "wave/io/checkpoints.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program/user_error.hpp"
#include "storage/checkpoint.hpp"

namespace heddle::wave {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "heddle-wave";

/// Calls read(state) with what the program has written into that file.
template <class Read>
auto from_state(const std::string& file, Read&& read) {
  const storage::CheckpointReader reader(file, kProgram);
  try {
    return read(Json::parse(reader.head().state));
  } catch (const nlohmann::json::exception&) {
    throw program::UserError(
        fmt::format("{} is not one that this program has written; give another --restart", file));
  }
}

std::string to_text(const Settings& settings, const Moment& moment, const RunRecord& record,
                    const std::vector<storage::PlotSeries::Entry>& plots) {
  Json options = Json::object(), conserved = Json::array(), plotted = Json::array();
  for (const auto& [name, value] : settings.problem_options) options[name] = value;
  for (const Named& quantity : record.conserved_at_begin)
    conserved.push_back({{"name", quantity.name}, {"value", quantity.value}});
  for (const auto& plot : plots) plotted.push_back({{"step", plot.step}, {"time", plot.time}});
  return Json{{"options", options},
              {"time", moment.time},
              {"limit", moment.limit},
              {"steps", moment.steps},
              {"mesh_changes", moment.mesh_changes},
              {"conserved_at_begin", conserved},
              {"step_lengths", record.step_lengths},
              {"plots", plotted}}
      .dump(1);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> problem_options_of(const std::string& file) {
  return from_state(file, [](const Json& state) {
    std::vector<std::pair<std::string, std::string>> options;
    for (const auto& [name, value] : state.at("options").items())
      options.emplace_back(name, value.get<std::string>());
    return options;
  });
}

int Checkpoints::most_steps(int steps) const {
  const storage::CheckpointRequest& request = settings_.checkpoint;
  if (!request.is_asked_for()) return kNoLimit;
  const int until = request.steps > 0 ? request.steps - steps % request.steps : kNoLimit;
  return std::min(until, steps_a_second_);
}

bool Checkpoints::after(const RunRecord& record, const std::vector<storage::PlotSeries::Entry>& plots) {
  const auto answer = schedule_.after(record.steps);
  steps_a_second_ = answer.steps_a_second;
  if (!answer.is_due) return false;
  storage::CheckpointHead head;
  head.program = kProgram;
  head.state = to_text(settings_, solver_.moment(), record, plots);
  const std::string& prefix = settings_.checkpoint.prefix;
  solver_.write_checkpoint(storage::checkpoint_path(prefix, record.steps), std::move(head));
  if (ranks_.rank() == 0) storage::remove_old_checkpoints(prefix, record.steps, settings_.checkpoint.keep);
  schedule_.written();
  return answer.must_end;
}

std::vector<storage::PlotSeries::Entry> restore(const Settings& settings, Solver& solver, RunRecord& record) {
  return from_state(settings.checkpoint.restart, [&](const Json& state) {
    const Moment moment{state.at("time").get<double>(), state.at("limit").get<double>(),
                        state.at("steps").get<int>(), state.at("mesh_changes").get<int>()};
    for (const Json& quantity : state.at("conserved_at_begin"))
      record.conserved_at_begin.push_back(
          {quantity.at("name").get<std::string>(), quantity.at("value").get<double>()});
    state.at("step_lengths").get_to(record.step_lengths);
    std::vector<storage::PlotSeries::Entry> plots;
    for (const Json& plot : state.at("plots"))
      plots.push_back({plot.at("step").get<int>(), plot.at("time").get<double>()});
    record.steps = moment.steps;
    solver.restore(settings.checkpoint.restart, kProgram, moment);
    return plots;
  });
}

}  // namespace heddle::wave
