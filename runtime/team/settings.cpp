#include "team/settings.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_table.hpp"
#include "mem/allocator_text.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

constexpr EnumTable<ScheduleKind, 5> kScheduleNames{{{ScheduleKind::kStatic, "static"},
                                                     {ScheduleKind::kDynamic, "dynamic"},
                                                     {ScheduleKind::kGuided, "guided"},
                                                     {ScheduleKind::kAuto, "auto"},
                                                     {ScheduleKind::kTrapezoidal, "trapezoidal"}}};
constexpr EnumTable<WaitPolicy, 2> kWaitPolicyNames{
    {{WaitPolicy::kActive, "active"}, {WaitPolicy::kPassive, "passive"}}};
constexpr EnumTable<TargetOffload, 3> kTargetOffloadNames{{{TargetOffload::kDisabled, "disabled"},
                                                           {TargetOffload::kDefault, "default"},
                                                           {TargetOffload::kMandatory, "mandatory"}}};
constexpr EnumTable<bool, 2> kBooleanNames{{{true, "true"}, {false, "false"}}};
static_assert(is_bijective(kScheduleNames) && is_bijective(kWaitPolicyNames) &&
              is_bijective(kTargetOffloadNames) && is_bijective(kBooleanNames));

constexpr int kMostThreads = Task::kMaxTeam - 1;

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<int> parse_int(std::string_view text, int lowest, int highest) {
  text = trim(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < lowest || value > highest)
    return {};
  return value;
}

void read_int(const char* name, int lowest, int highest, int& target) {
  const char* text = environment(name);
  if (text == nullptr) return;
  if (const auto value = parse_int(text, lowest, highest))
    target = *value;
  else
    warn("%s='%s' is not a whole number from %d to %d; using %d", name, text, lowest, highest, target);
}

void read_bool(const char* name, bool& target) {
  const char* text = environment(name);
  if (text == nullptr) return;
  if (const auto value = parse(kBooleanNames, trim(text)))
    target = *value;
  else
    warn("%s='%s' is neither true nor false; using %s", name, text, target ? "true" : "false");
}

void read_num_threads(Settings& result) {
  const char* text = environment("OMP_NUM_THREADS");
  result.num_threads = {result.processors};
  if (text == nullptr) return;
  std::vector<int> list;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const auto value = parse_int(rest.substr(0, comma), 1, kMostThreads);
    if (!value) {
      warn("OMP_NUM_THREADS='%s' is not a list of whole numbers from 1 to %d; using %d", text, kMostThreads,
           result.processors);
      return;
    }
    list.push_back(*value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  result.num_threads = std::move(list);
}

// [modifier:]kind[,chunk], OpenMP 5.2 section 21.2.1
void read_schedule(Settings& result) {
  const char* text = environment("OMP_SCHEDULE");
  if (text == nullptr) return;
  std::string_view rest = trim(text);
  DataEnvironment& initial = result.initial;
  bool is_monotonic = false;
  if (const auto colon = rest.find(':'); colon != std::string_view::npos) {
    const std::string_view modifier = trim(rest.substr(0, colon));
    is_monotonic = modifier == "monotonic";
    if (!is_monotonic && modifier != "nonmonotonic") rest = {};
    if (!rest.empty()) rest.remove_prefix(colon + 1);
  }
  const auto comma = rest.find(',');
  const std::string_view name = trim(rest.substr(0, comma));
  // LLVM's word for a schedule that hands out chunks on demand, as dynamic does.
  const auto kind = parse(kScheduleNames, name == "static_steal" ? "dynamic" : name);
  std::optional<int> chunk = kind ? default_chunk(*kind) : 0;
  if (comma != std::string_view::npos) chunk = parse_int(rest.substr(comma + 1), 1, INT32_MAX);
  if (!kind || !chunk) {
    warn(
        "OMP_SCHEDULE='%s' is not [monotonic:|nonmonotonic:]KIND[,CHUNK] with KIND one of %s; using the "
        "default",
        text, names_of(kScheduleNames).c_str());
    return;
  }
  initial.run_kind = *kind;
  initial.run_chunk = *chunk;
  initial.run_monotonic = is_monotonic;
  initial.has_run_schedule = true;
}

// size[B|K|M|G], OpenMP 5.2 section 21.2.7; a bare number counts kibibytes
void read_stack_size(Settings& result) {
  const char* text = environment("OMP_STACKSIZE");
  if (text == nullptr) return;
  std::string_view number = trim(text);
  std::size_t unit = 1024;
  if (!number.empty()) {
    const char last = number.back() | 0x20;
    if (last == 'b' || last == 'k' || last == 'm' || last == 'g') {
      unit = last == 'b' ? 1 : last == 'k' ? 1024 : last == 'm' ? 1024 * 1024 : 1024u * 1024u * 1024u;
      number.remove_suffix(1);
    }
  }
  if (const auto value = parse_int(number, 1, INT32_MAX))
    result.stack_bytes = static_cast<std::size_t>(*value) * unit;
  else
    warn("OMP_STACKSIZE='%s' is not a size such as 8M; using the system's default", text);
}

void read_device(Settings& result) {
  if (const char* text = environment("OMP_TARGET_OFFLOAD")) {
    if (const auto offload = parse(kTargetOffloadNames, trim(text)))
      result.target_offload = *offload;
    else
      warn("OMP_TARGET_OFFLOAD='%s' is none of %s; using default", text,
           names_of(kTargetOffloadNames).c_str());
  }
  // Offloading is a must and there is nowhere to go: OpenMP 5.2, section 21.2.7
  if (result.target_offload == TargetOffload::kMandatory) result.initial.default_device = kInvalidDevice;
  read_int("OMP_DEFAULT_DEVICE", 0, INT32_MAX, result.initial.default_device);
}

void read_allocator(Settings& result) {
  const char* text = environment("OMP_ALLOCATOR");
  if (text == nullptr) return;
  const auto wanted = parse_allocator(text);
  const AllocatorHandle allocator = wanted ? make_allocator(*wanted) : kNullAllocator;
  if (allocator != kNullAllocator)
    result.initial.allocator = allocator;
  else
    warn("OMP_ALLOCATOR='%s' is neither one of %s nor SPACE[:TRAIT=VALUE,...]; using omp_default_mem_alloc",
         text, allocator_names().c_str());
}

Settings read_settings() {
  Settings result;
  result.processors = available_processors();
  read_num_threads(result);
  result.initial.num_threads = result.num_threads.front();
  read_schedule(result);
  read_stack_size(result);
  if (const char* text = environment("OMP_WAIT_POLICY")) {
    if (const auto policy = parse(kWaitPolicyNames, trim(text)))
      result.wait_policy = *policy;
    else
      warn("OMP_WAIT_POLICY='%s' is neither active nor passive; using the default", text);
  }
  read_bool("OMP_DYNAMIC", result.initial.is_dynamic);
  int levels = result.num_threads.size() > 1 ? static_cast<int>(result.num_threads.size()) : 1;
  bool is_nested = levels > 1;
  read_bool("OMP_NESTED", is_nested);
  if (is_nested && levels == 1) levels = 255;
  read_int("OMP_MAX_ACTIVE_LEVELS", 0, 255, levels);
  result.initial.max_active_levels = static_cast<std::uint8_t>(levels);
  read_int("OMP_THREAD_LIMIT", 1, INT32_MAX, result.initial.thread_limit);
  read_device(result);
  read_allocator(result);
  read_int("OMP_MAX_TASK_PRIORITY", 0, INT32_MAX, result.max_task_priority);
  read_bool("OMP_CANCELLATION", result.is_cancellable);
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES"})
    if (const char* text = environment(name); text != nullptr && !(std::string_view(text) == "false"))
      warn("%s='%s' has no effect yet: threads are not bound", name, text);
  return result;
}

}  // namespace

const Settings& settings() {
  static const Settings& instance =
      *new Settings(read_settings());  // never destroyed: read until the very end
  return instance;
}

}  // namespace heddle
