// Variables of parallel regions and of teams: OpenMP 5.2, sections 21.1 and 21.6.
#include <cctype>

#include "icv/settings/readers.hpp"
#include "icv/settings/text.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

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

constexpr Reader kReaders[] = {
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
};

}  // namespace

std::span<const Reader> parallel_readers() {
  return kReaders;
}

}  // namespace heddle
