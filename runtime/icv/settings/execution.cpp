// Variables of program execution, and our own: OpenMP 5.2, sections 21.2 and 21.7.
#include <locale.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "icv/settings/readers.hpp"
#include "icv/settings/text.hpp"

namespace heddle {
namespace {

constexpr EnumTable<ScheduleKind, 5> kScheduleNames{{{ScheduleKind::kStatic, "static"},
                                                     {ScheduleKind::kDynamic, "dynamic"},
                                                     {ScheduleKind::kGuided, "guided"},
                                                     {ScheduleKind::kAuto, "auto"},
                                                     {ScheduleKind::kTrapezoidal, "trapezoidal"}}};
constexpr EnumTable<bool, 2> kModifierNames{{{true, "monotonic"}, {false, "nonmonotonic"}}};
constexpr EnumTable<WaitPolicy, 2> kWaitPolicyNames{
    {{WaitPolicy::kActive, "active"}, {WaitPolicy::kPassive, "passive"}}};
constexpr EnumTable<TargetOffload, 3> kTargetOffloadNames{{{TargetOffload::kDisabled, "disabled"},
                                                           {TargetOffload::kDefault, "default"},
                                                           {TargetOffload::kMandatory, "mandatory"}}};
constexpr EnumTable<DisplayEnvironment, 3> kDisplayNames{{{DisplayEnvironment::kNo, "false"},
                                                          {DisplayEnvironment::kYes, "true"},
                                                          {DisplayEnvironment::kVerbose, "verbose"}}};
static_assert(is_bijective(kScheduleNames) && is_bijective(kModifierNames) &&
              is_bijective(kWaitPolicyNames) && is_bijective(kTargetOffloadNames) &&
              is_bijective(kDisplayNames));

// [modifier:]kind[,chunk]
bool read_schedule(Settings& s, std::string_view text) {
  std::optional<bool> is_monotonic = false;
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    is_monotonic = parse(kModifierNames, trim(text.substr(0, colon)));
    text.remove_prefix(colon + 1);
  }
  const auto comma = text.find(',');
  const std::string_view name = trim(text.substr(0, comma));
  // LLVM's word for a schedule that hands out chunks on demand, as dynamic does.
  const auto kind = parse(kScheduleNames, name == "static_steal" ? "dynamic" : name);
  if (!is_monotonic || !kind) return false;
  std::optional<int> chunk = default_chunk(*kind);
  if (comma != std::string_view::npos) chunk = parse_int(text.substr(comma + 1), 1, INT32_MAX);
  if (!chunk) return false;
  DataEnvironment& initial = s.initial;
  initial.run_kind = *kind;
  initial.run_chunk = *chunk;
  initial.run_monotonic = *is_monotonic;
  initial.has_run_schedule = true;
  return true;
}

std::string show_schedule(const Settings& s) {
  const DataEnvironment& initial = s.initial;
  if (!initial.has_run_schedule) return "DYNAMIC under GCC, STATIC under Clang";
  std::string text = initial.run_monotonic ? "MONOTONIC:" : "";
  text += upper(name_of(kScheduleNames, initial.run_kind));
  if (initial.run_chunk > default_chunk(initial.run_kind)) text += ',' + std::to_string(initial.run_chunk);
  return text;
}

constexpr EnumTable<bool, 2> kWaitNames{{{false, "throughput"}, {true, "latency"}}};
constexpr EnumTable<std::int64_t, 1> kThrottleNames{{{Throttle::kHold, "hold"}}};
constexpr EnumTable<bool, 2> kReadyNames{{{false, "youngest"}, {true, "oldest"}}};
static_assert(is_bijective(kWaitNames) && is_bijective(kReadyNames));

constexpr EnumTable<bool Settings::*, 3> kLogNames = {{{&Settings::logs_graphs, "graph"},
                                                       {&Settings::logs_policy, "policy"},
                                                       {&Settings::logs_stacks, "stacks"}}};
static_assert(is_bijective(kLogNames));

// none | what [, what]
bool read_log(Settings& s, std::string_view text) {
  if (trim(text) == "none") return true;
  const auto subjects = parse_list(text, [](std::string_view piece) { return parse(kLogNames, piece); });
  if (!subjects) return false;
  for (bool Settings::* const subject : *subjects) s.*subject = true;
  return true;
}

std::string show_log(const Settings& s) {
  std::string text;
  for (const auto& [subject, name] : kLogNames) {
    if (!(s.*subject)) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text.empty() ? "none" : text;
}

constexpr EnumTable<Rule, 7> kRuleNames{{{Rule::kAlone, "alone"},
                                         {Rule::kRecursion, "recursion"},
                                         {Rule::kHelp, "help"},
                                         {Rule::kInTurn, "in-turn"},
                                         {Rule::kOverlap, "overlap"},
                                         {Rule::kArrived, "arrived"},
                                         {Rule::kLeapfrog, "leapfrog"}}};
static_assert(is_bijective(kRuleNames));

// nothing | rule [, rule]
bool read_without(Settings& s, std::string_view text) {
  if (trim(text) == "nothing") return true;
  const auto rules = parse_list(text, [](std::string_view piece) { return parse(kRuleNames, piece); });
  if (!rules) return false;
  for (const Rule rule : *rules) s.rules_off |= bit(rule);
  return true;
}

std::string show_without(const Settings& s) {
  std::string text;
  for (const auto& [rule, name] : kRuleNames) {
    if ((s.rules_off & bit(rule)) == 0) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text.empty() ? "nothing" : text;
}

constexpr EnumTable<bool, 2> kCheckNames{{{true, "graph"}, {false, "none"}}};
static_assert(is_bijective(kCheckNames));

// hold | tasks [, size]
bool read_throttle(Settings& s, std::string_view text) {
  const auto pieces = split(text, ',');
  if (pieces.size() > 2) return false;
  std::optional<std::int64_t> tasks = parse(kThrottleNames, pieces[0]);
  if (!tasks) tasks = parse_int(pieces[0], 1, 1'000'000'000);
  std::optional<std::size_t> bytes = s.throttle.bytes;
  if (pieces.size() == 2) bytes = parse_size(pieces[1]);
  if (!tasks || !bytes) return false;
  s.throttle = {*tasks, *tasks, *bytes};
  return true;
}

std::string show_throttle(const Settings& s) {
  const std::string tasks =
      s.throttle.tasks == Throttle::kHold ? std::string("hold") : std::to_string(s.throttle.tasks);
  return tasks + ',' + std::to_string(s.throttle.bytes >> 10) + 'K';
}

// Milliseconds; 0 and more.
std::optional<int> parse_seconds(std::string_view text) {
  constexpr double kMsInS = 1000.0, kLongestS = 1e6;
  // strtod() takes more than numbers as people write them: spaces, signs, hexadecimal digits, names.
  if (text.empty() || text[0] == '+' || text.find_first_not_of("0123456789.eE+-") != text.npos)
    return std::nullopt;
  // from_chars() of floating-point numbers came with libstdc++ 11; the program's locale may have another
  // point.
  const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  if (plain == nullptr) return std::nullopt;
  const std::string number(text);
  char* end = nullptr;
  const double seconds = strtod_l(number.c_str(), &end, plain);
  freelocale(plain);
  if (end != number.c_str() + number.size() || !(seconds >= 0) || seconds > kLongestS) return std::nullopt;
  return seconds == 0 ? 0 : std::max(1, static_cast<int>(seconds * kMsInS));
}

std::string seconds_text(int ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", ms / 1000.0);
  return text;
}

// seconds[,abort]
bool read_watchdog(Settings& s, std::string_view text) {
  const auto comma = text.find(',');
  const auto patience = parse_seconds(trim(text.substr(0, comma)));
  const bool aborts = comma != std::string_view::npos;
  if (!patience || (aborts && upper(trim(text.substr(comma + 1))) != "ABORT")) return false;
  s.watchdog_ms = *patience;
  s.watchdog_aborts = aborts;
  return true;
}

std::string show_watchdog(const Settings& s) {
  return seconds_text(s.watchdog_ms) + (s.watchdog_aborts ? ",abort" : "");
}

// [number][us|ms|s] | infinite. Microseconds; as long as HEDDLE_SPIN_US may say.
constexpr int kLongestSpinUs = 10'000'000;

std::optional<int> parse_block_time(std::string_view text) {
  if (upper(text) == "INFINITE") return kLongestSpinUs;
  constexpr std::pair<std::string_view, int> kUnits[] = {{"US", 1}, {"MS", 1000}, {"S", 1'000'000}};
  int us_in_unit = 1000;
  const std::string all = upper(text);
  std::string_view number = all;
  for (const auto& [unit, us] : kUnits)
    if (number.ends_with(unit)) {
      number.remove_suffix(unit.size());
      us_in_unit = us;
      break;
    }
  const auto count = parse_int(trim(number), 0, INT32_MAX);
  if (!count) return std::nullopt;
  return static_cast<int>(std::min<std::int64_t>(std::int64_t{*count} * us_in_unit, kLongestSpinUs));
}

constexpr Reader kReaders[] = {
    {"OMP_SCHEDULE", read_schedule, show_schedule},
    {"OMP_STACKSIZE",
     [](Settings& s, std::string_view text) { return assign(s.stack_bytes, parse_size(text)); },
     [](const Settings& s) { return std::to_string(s.stack_bytes) + (s.stack_bytes > 0 ? "B" : ""); }},
    {"KMP_INHERIT_FP_CONTROL",
     [](Settings& s, std::string_view text) { return assign(s.inherits_fp_modes, parse_bool(text)); },
     [](const Settings& s) { return s.inherits_fp_modes ? bool_text(*s.inherits_fp_modes) : std::string(); }},
    {"OMP_WAIT_POLICY",
     [](Settings& s, std::string_view text) { return assign(s.wait_policy, parse(kWaitPolicyNames, text)); },
     [](const Settings& s) { return upper(name_of(kWaitPolicyNames, s.wait_policy)); }},
    {"OMP_MAX_TASK_PRIORITY",
     [](Settings& s, std::string_view text) {
       return assign(s.max_task_priority, parse_int(text, 0, INT32_MAX));
     },
     [](const Settings& s) { return std::to_string(s.max_task_priority); }},
    {"OMP_CANCELLATION",
     [](Settings& s, std::string_view text) { return assign(s.is_cancellable, parse_bool(text)); },
     [](const Settings& s) { return bool_text(s.is_cancellable); }},
    {"OMP_DISPLAY_ENV",
     [](Settings& s, std::string_view text) {
       const std::optional<bool> shows = parse_bool(text);
       if (!shows) return assign(s.display_environment, parse(kDisplayNames, text));
       s.display_environment = *shows ? DisplayEnvironment::kYes : DisplayEnvironment::kNo;
       return true;
     },
     [](const Settings& s) { return upper(name_of(kDisplayNames, s.display_environment)); }},
    {"OMP_DISPLAY_AFFINITY",
     [](Settings& s, std::string_view text) { return assign(s.displays_affinity, parse_bool(text)); },
     [](const Settings& s) { return bool_text(s.displays_affinity); }},
    {"OMP_AFFINITY_FORMAT",
     [](Settings& s, std::string_view text) {
       s.affinity_format = text;
       return true;
     },
     [](const Settings& s) { return s.affinity_format; }},
    {"OMP_DEFAULT_DEVICE",
     [](Settings& s, std::string_view text) {
       return assign(s.initial.default_device, parse_int(text, 0, INT32_MAX));
     },
     [](const Settings& s) { return std::to_string(s.initial.default_device); }},
    {"OMP_TARGET_OFFLOAD",
     [](Settings& s, std::string_view text) {
       return assign(s.target_offload, parse(kTargetOffloadNames, text));
     },
     [](const Settings& s) { return upper(name_of(kTargetOffloadNames, s.target_offload)); }},
    {"HEDDLE_THROTTLE", read_throttle, show_throttle},
    {"HEDDLE_READY",
     [](Settings& s, std::string_view text) { return assign(s.is_oldest_first, parse(kReadyNames, text)); },
     [](const Settings& s) { return std::string(name_of(kReadyNames, s.is_oldest_first)); }},
    {"HEDDLE_LOCALITY",
     [](Settings& s, std::string_view text) { return assign(s.has_locality, parse_bool(text)); },
     [](const Settings& s) { return bool_text(s.has_locality); }},
    {"HEDDLE_WATCHDOG", read_watchdog, show_watchdog},
    {"HEDDLE_WITHOUT", read_without, show_without},
    {"HEDDLE_LOG", read_log, show_log},
    {"HEDDLE_GRAPH_LOG",
     [](Settings& s, std::string_view text) {
       s.graph_log = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.graph_log; }},
    {"HEDDLE_CHECK",
     [](Settings& s, std::string_view text) { return assign(s.checks_graphs, parse(kCheckNames, text)); },
     [](const Settings& s) { return std::string(name_of(kCheckNames, s.checks_graphs)); }},
    {"HEDDLE_CHECK_LOG",
     [](Settings& s, std::string_view text) {
       s.check_log = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.check_log; }},
    {"HEDDLE_GRAPH_MEMORY",
     [](Settings& s, std::string_view text) { return assign(s.graph_bytes, parse_size(text)); },
     [](const Settings& s) { return std::to_string(s.graph_bytes >> 10) + 'K'; }},
    {"HEDDLE_WAIT",
     [](Settings& s, std::string_view text) {
       return assign(s.initial.waits_for_latency, parse(kWaitNames, text));
     },
     [](const Settings& s) { return std::string(name_of(kWaitNames, s.initial.waits_for_latency)); }},
    {"KMP_BLOCKTIME",
     [](Settings& s, std::string_view text) { return assign(s.block_us, parse_block_time(text)); },
     [](const Settings& s) { return s.block_us ? std::to_string(*s.block_us) + "us" : std::string(); }},
    {"HEDDLE_SPIN_US",
     [](Settings& s, std::string_view text) { return assign(s.spin_us, parse_int(text, 0, kLongestSpinUs)); },
     [](const Settings& s) { return s.spin_us ? std::to_string(*s.spin_us) : std::string(); }},
};

}  // namespace

std::span<const Reader> execution_readers() {
  return kReaders;
}

}  // namespace heddle
