#include "icv/variables.hpp"

#include <locale.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "icv/text.hpp"
#include "mem/allocator_text.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

constexpr Shown shown_as(std::string_view text) {
  return text == "always" ? Shown::kAlways : text == "verbose" ? Shown::kVerbose : Shown::kNever;
}

#define HEDDLE_VARIABLE(name, form, otherwise, effect, shown, read_by) \
  Variable{name, form, otherwise, effect, shown_as(shown), std::string_view(read_by) == "runtime"},
constexpr Variable kVariables[] = {
#include "environment.inc"
};
#undef HEDDLE_VARIABLE

/// Gives target the value there is, if any, and says whether there is one.
template <class T>
bool assign(T& target, const auto& value) {
  if (value) target = *value;
  return value.has_value();
}

// Variables of parallel regions and of teams: OpenMP 5.2, sections 21.1 and 21.6.

constexpr EnumTable<ProcBind, 5> kBindNames{{{ProcBind::kFalse, "false"},
                                             {ProcBind::kTrue, "true"},
                                             {ProcBind::kPrimary, "primary"},
                                             {ProcBind::kClose, "close"},
                                             {ProcBind::kSpread, "spread"}}};
static_assert(is_bijective(kBindNames));

template <class Items, class Text>
std::string joined(const Items& items, Text&& text_of) {
  std::string all;
  for (const auto& item : items) {
    if (!all.empty()) all += ',';
    all += text_of(item);
  }
  return all;
}

bool read_num_threads(Settings& s, std::string_view text) {
  return assign(s.num_threads, parse_list(text, [](std::string_view piece) {
                  return parse_int(piece, 1, Task::kMaxTeam - 1);
                }));
}

// true and false stand alone; master is what primary was called before OpenMP 5.1.
bool read_proc_bind(Settings& s, std::string_view text) {
  const auto list = parse_list(text, [](std::string_view piece) {
    return upper(piece) == "MASTER" ? std::optional(ProcBind::kPrimary) : parse(kBindNames, piece);
  });
  if (!list) return false;
  if (list->size() > 1)
    for (const ProcBind bind : *list)
      if (bind == ProcBind::kFalse || bind == ProcBind::kTrue) return false;
  s.proc_bind = *list;
  return true;
}

bool read_places(Settings& s, std::string_view text) {
  auto places = parse_place_list(text);
  if (!places) return false;
  s.places = std::move(*places);
  s.places_text = text;
  return true;
}

bool read_cpu_affinity(Settings& s, std::string_view text) {
  auto places = parse_processor_list(text);
  if (!places) return false;
  s.cpu_affinity = std::move(*places);
  s.cpu_affinity_text = text;
  return true;
}

// Variables of program execution, and our own: OpenMP 5.2, sections 21.2 and 21.7.

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

constexpr EnumTable<Rule, 7> kRuleNames{{{Rule::kSerialCreation, "serial"},
                                         {Rule::kCutoff, "cutoff"},
                                         {Rule::kHelp, "help"},
                                         {Rule::kSerialReplay, "serial-replay"},
                                         {Rule::kOverlap, "overlap"},
                                         {Rule::kMessages, "messages"},
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

// Variables of tools, debuggers and memory: OpenMP 5.2, sections 21.3 to 21.5.

constexpr EnumTable<bool, 2> kEnabledNames{{{true, "enabled"}, {false, "disabled"}}};
static_assert(is_bijective(kEnabledNames));

bool read_enabled(bool& target, std::string_view text) {
  const auto value = parse(kEnabledNames, text);
  if (value) target = *value;
  return value.has_value();
}

bool read_allocator(Settings& s, std::string_view text) {
  const auto wanted = parse_allocator(text);
  const AllocatorHandle allocator = wanted ? make_allocator(*wanted) : kNullAllocator;
  if (allocator == kNullAllocator) return false;
  s.initial.allocator = allocator;
  s.allocator_text = text;
  return true;
}

bool read_tool_libraries(Settings& s, std::string_view text) {
  s.tool_libraries.clear();
  for (const std::string_view library : split(text, ':'))
    if (!library.empty()) s.tool_libraries.emplace_back(library);
  return true;
}

std::string show_tool_libraries(const Settings& s) {
  std::string all;
  for (const std::string& library : s.tool_libraries) all += (all.empty() ? "" : ":") + library;
  return all;
}

// Variables of the order in which tasks are executed: our own.

constexpr std::string_view kFuzz = "fuzz:", kReplay = "replay:";

bool read_seed(std::uint64_t& seed, std::string_view text) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  return error == std::errc() && stop == end;
}

bool read_choice(Settings& s, std::string_view text) {
  OrderChoice choice;
  if (text.starts_with(kFuzz)) {
    choice.kind = OrderChoice::Kind::kFuzz;
    if (!read_seed(choice.seed, text.substr(kFuzz.size()))) return false;
  } else if (text.starts_with(kReplay)) {
    choice.kind = OrderChoice::Kind::kReplay;
    choice.file = text.substr(kReplay.size());
    if (!read_order(choice.file)) return false;
  } else if (text != "natural") {
    return false;
  }
  s.order = choice;
  return true;
}

std::string show_choice(const Settings& s) {
  switch (s.order.kind) {
    case OrderChoice::Kind::kFuzz:
      return std::string(kFuzz) + std::to_string(s.order.seed);
    case OrderChoice::Kind::kReplay:
      return std::string(kReplay) + s.order.file;
    case OrderChoice::Kind::kNatural:
      break;
  }
  return "natural";
}

constexpr Reader kReaders[] = {
    // Parallel regions and teams: OpenMP 5.2, sections 21.1 and 21.6.
    {"OMP_NUM_THREADS", read_num_threads,
     [](const Settings& s) { return joined(s.num_threads, [](int n) { return std::to_string(n); }); }},
    {"OMP_DYNAMIC",
     [](Settings& s, std::string_view text) { return assign(s.initial.is_dynamic, parse_bool(text)); },
     [](const Settings& s) { return bool_text(s.initial.is_dynamic); }},
    {"OMP_MAX_ACTIVE_LEVELS",
     [](Settings& s, std::string_view text) { return assign(s.max_active_levels, parse_int(text, 0, 255)); },
     [](const Settings& s) { return std::to_string(s.initial.max_active_levels); }},
    {"OMP_NESTED", [](Settings& s, std::string_view text) { return assign(s.is_nested, parse_bool(text)); },
     [](const Settings& s) { return bool_text(s.initial.max_active_levels > 1); }},
    {"OMP_THREAD_LIMIT",
     [](Settings& s, std::string_view text) {
       return assign(s.initial.thread_limit, parse_int(text, 1, INT32_MAX));
     },
     [](const Settings& s) { return std::to_string(s.initial.thread_limit); }},
    {"OMP_PROC_BIND", read_proc_bind,
     [](const Settings& s) {
       if (s.proc_bind.empty()) return bool_text(false);
       return joined(s.proc_bind, [](ProcBind bind) { return upper(name_of(kBindNames, bind)); });
     }},
    {"OMP_PLACES", read_places, [](const Settings& s) { return s.places_text; }},
    {"GOMP_CPU_AFFINITY", read_cpu_affinity, [](const Settings& s) { return s.cpu_affinity_text; }},
    {"KMP_AFFINITY",
     [](Settings&, std::string_view text) {
       return !text.empty() && std::isalnum(static_cast<unsigned char>(text.front())) != 0;
     },
     [](const Settings&) { return std::string(); }},
    {"OMP_NUM_TEAMS",
     [](Settings& s, std::string_view text) { return assign(s.num_teams, parse_int(text, 1, INT32_MAX)); },
     [](const Settings& s) { return std::to_string(s.num_teams); }},
    {"OMP_TEAMS_THREAD_LIMIT",
     [](Settings& s, std::string_view text) {
       return assign(s.teams_thread_limit, parse_int(text, 1, INT32_MAX));
     },
     [](const Settings& s) { return std::to_string(s.teams_thread_limit); }},
    // Program execution, and our own: sections 21.2 and 21.7.
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
    // Tools, debuggers and memory: sections 21.3 to 21.5.
    {"OMP_ALLOCATOR", read_allocator, [](const Settings& s) { return s.allocator_text; }},
    {"OMP_TOOL", [](Settings& s, std::string_view text) { return read_enabled(s.allows_tools, text); },
     [](const Settings& s) { return upper(name_of(kEnabledNames, s.allows_tools)); }},
    {"OMP_TOOL_LIBRARIES", read_tool_libraries, show_tool_libraries},
    {"OMP_TOOL_VERBOSE_INIT",
     [](Settings& s, std::string_view text) {
       s.tool_verbose_init = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.tool_verbose_init; }},
    {"OMP_DEBUG", [](Settings& s, std::string_view text) { return read_enabled(s.is_debugged, text); },
     [](const Settings& s) { return upper(name_of(kEnabledNames, s.is_debugged)); }},
    // Our own: the order in which tasks are executed.
    {"HEDDLE_ORDER", read_choice, show_choice},
    {"HEDDLE_ORDER_LOG",
     [](Settings& s, std::string_view text) {
       s.order_log = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.order_log; }},
};

}  // namespace

std::span<const Variable> variables() {
  return kVariables;
}

const Variable* find_variable(std::string_view name) {
  const auto* const found = std::ranges::find(kVariables, name, &Variable::name);
  return found != std::end(kVariables) ? found : nullptr;
}

std::span<const Reader> readers() {
  return kReaders;
}

const Reader* find_reader(std::string_view name) {
  const auto* const found = std::ranges::find(kReaders, name, &Reader::name);
  return found != std::end(kReaders) ? found : nullptr;
}

}  // namespace heddle
