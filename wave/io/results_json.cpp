#include "wave/io/results_json.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "mesh/fingerprint.hpp"
#include "program/whole_file.hpp"
#include "wave/io/words.hpp"

namespace heddle::wave {
namespace {

using Json = nlohmann::ordered_json;

Json by_name(const std::vector<Named>& list) {
  Json json = Json::object();
  for (const Named& one : list) json[one.name] = one.value;
  return json;
}

}  // namespace

void write_results_json(const Settings& settings, const RunRecord& record) {
  const ModelRequest& model = settings.model;
  Json execution{{"exec", model.name}, {"threads", record.threads}, {"ranks", record.ranks}};
  if (model.name == "enclave") {
    execution["strategy"] = name_of(model.strategy);
    execution["strategy_text"] = to_text(model.strategy);
    execution["wait"] = word_of(kWaits, wait_of(model));
    execution["queue"] = word_of(kQueues, model.queue);
  }
  if (model.name == "enclave" || model.name == "bsp" || model.name == "bsp-for") {
    execution["partitions"] = model.partitions;
    execution["cut"] = word_of(kCuts, model.cut);
  }
  Json scheme{{"name", word_of(kSchemes, settings.problem.scheme)}};
  if (settings.problem.scheme == Scheme::muscl_hancock)
    scheme["limiter"] = word_of(kLimiters, settings.problem.limiter.value_or(kDefaultLimiter));
  Json counts = Json::object();
  for (const Count& count : record.counts) counts[count.name] = count.value;

  const int patches = std::accumulate(record.patches_per_level.begin(), record.patches_per_level.end(), 0);
  const Json results{
      {"schema", "heddle-wave-1"},
      {"argv", settings.argv},
      {"problem", settings.problem.name},
      {"dim", settings.problem.dim},
      {"ratio", settings.problem.ratio},
      {"scheme", scheme},
      {"execution", execution},
      {"steps", record.steps},
      {"time", record.time},
      {"step_lengths", record.step_lengths},
      {"patches", patches},
      {"patches_per_level", record.patches_per_level},
      {"patches_per_rank", record.patches_per_rank},
      {"volumes_per_patch", record.volumes_per_patch},
      {"mesh_changes", record.mesh_changes},
      {"state_fingerprint", mesh::to_hex(record.state_fingerprint)},
      {"mesh_fingerprint", mesh::to_hex(record.mesh_fingerprint)},
      {"conserved",
       {{"is_closed", record.is_closed},
        {"begin", by_name(record.conserved_at_begin)},
        {"end", by_name(record.conserved_at_end)},
        {"largest_relative_drift", drift(record.conserved_at_begin, record.conserved_at_end)}}},
      {"l1", by_name(record.l1)},
      {"counts", counts},
      {"wall_seconds",
       {{"prepare", record.prepare_seconds},
        {"steps", record.wall_seconds},
        {"regrid", record.regrid_seconds}}},
      {"busy_share", record.busy_share()},
      {"patch_seconds",
       {{"prepare", record.patch_seconds.prepare}, {"complete", record.patch_seconds.complete}}},
      {"volume_updates", record.volume_updates},
      {"volume_updates_per_second",
       record.wall_seconds > 0.0 ? record.volume_updates / record.wall_seconds : 0.0}};
  program::write_whole_file(settings.results, results.dump(1) + "\n");
}

void write_samples(const std::string& path, const std::vector<Sample>& samples) {
  std::string text = "x,y,width,value,level\n";
  for (const Sample& s : samples)
    text += fmt::format("{},{},{},{},{}\n", s.x, s.y, s.width, s.value, s.level);
  program::write_whole_file(path, text);
}

}  // namespace heddle::wave
