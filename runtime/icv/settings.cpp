#include "icv/settings.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/relaxed_atomic.hpp"
#include "icv/display.hpp"
#include "icv/text.hpp"
#include "icv/variables.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

RelaxedAtomic<bool> g_is_read{false};

/// The variable as it stands in the environment: under its own name, or under that with _ALL, which is for
/// the host and all devices (OpenMP 5.2, section 21). _DEV and _DEV_n are for other devices than the host:
/// there is none.
struct Given {
  std::string name;
  std::string_view text;
};

constexpr std::array<std::string_view, 10> kOfDevices{
    "OMP_DYNAMIC",  "OMP_MAX_ACTIVE_LEVELS", "OMP_NUM_TEAMS",          "OMP_NUM_THREADS",  "OMP_PROC_BIND",
    "OMP_SCHEDULE", "OMP_STACKSIZE",         "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT", "OMP_WAIT_POLICY"};

std::optional<Given> find(const Variable& variable, const char* (*look_up)(const char* name)) {
  Given given{std::string(variable.name), {}};
  const auto is_given = [&] {
    const char* const text = look_up(given.name.c_str());
    if (text != nullptr) given.text = text;
    // An empty value counts as none: scripts write NAME=$OTHER.
    return text != nullptr && !trim(given.text).empty();
  };
  if (is_given()) return given;
  given.name += "_ALL";
  if (std::ranges::find(kOfDevices, variable.name) != kOfDevices.end() && is_given()) return given;
  return {};
}

void read(Settings& settings, const Variable& variable, const Reader& reader, const Given& given) {
  const auto& [name, text] = given;
  const std::string_view trimmed = trim(text);
  const auto length = [](std::string_view view) { return static_cast<int>(view.size()); };
  if (!reader.read(settings, trimmed))
    warn("%.*s='%.*s' is not %.*s; using %.*s", length(name), name.data(), length(text), text.data(),
         length(variable.form), variable.form.data(), length(variable.otherwise), variable.otherwise.data());
  else if (!variable.no_effect.empty() && trimmed != "false" && trimmed != "disabled")
    warn("%.*s='%.*s' has no effect yet: %.*s", length(name), name.data(), length(text), text.data(),
         length(variable.no_effect), variable.no_effect.data());
}

// What follows from several variables together.
void conclude(Settings& settings) {
  DataEnvironment& initial = settings.initial;
  initial.num_threads = settings.num_threads.front();
  // A list says how the regions of several levels are to be: so many may be active (OpenMP 5.2, section 2.2).
  const int listed = static_cast<int>(std::max(settings.num_threads.size(), settings.proc_bind.size()));
  int levels = settings.is_nested.value_or(false) && listed == 1 ? 255 : listed;
  if (!settings.is_nested.value_or(true)) levels = 1;
  levels = settings.max_active_levels.value_or(levels);
  if (!settings.spin_us) settings.spin_us = settings.block_us;
  if (settings.cpu_affinity && !settings.places && settings.proc_bind.empty()) {
    settings.places = settings.cpu_affinity;
    settings.places_text = settings.cpu_affinity_text;
    settings.proc_bind = {ProcBind::kTrue};
  }
  initial.max_active_levels = static_cast<std::uint8_t>(std::min(levels, 255));
}

// A misspelt variable of ours would otherwise be silently without effect.
void warn_of_strangers() {
  for (const std::string& name : environment_names("HEDDLE_"))
    if (find_variable(name) == nullptr)
      warn("%s is no variable of Heddle and has no effect; 'heddle env' lists those that are", name.c_str());
}

}  // namespace

Settings read_settings(const char* (*look_up)(const char* name)) {
  Settings result;
  result.processors = available_processors();
  result.num_threads = {result.processors};
  for (const Variable& variable : variables()) {
    const std::optional<Given> given = variable.is_ours_to_read ? find(variable, look_up) : std::nullopt;
    if (!given) continue;
    if (const Reader* reader = find_reader(variable.name)) read(result, variable, *reader, *given);
  }
  conclude(result);
  // Offloading is a must and there is nowhere to go (OpenMP 5.2, section 21.2.7).
  if (result.target_offload == TargetOffload::kMandatory && look_up("OMP_DEFAULT_DEVICE") == nullptr)
    result.initial.default_device = kInvalidDevice;
  return result;
}

bool settings_are_read() {
  return g_is_read.load();
}

const Settings& settings() {
  // Never destroyed: read until the very end.
  static const Settings& instance = []() -> const Settings& {
    g_is_read.store(true);
    const auto& once = *new Settings(read_settings(environment));
    warn_of_strangers();
    if (once.display_environment != DisplayEnvironment::kNo)
      display_environment(once, once.display_environment == DisplayEnvironment::kVerbose, display_style());
    return once;
  }();
  return instance;
}

}  // namespace heddle
