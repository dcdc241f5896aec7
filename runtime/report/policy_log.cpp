

#include "report/policy_log.hpp"

#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "report/report_places.hpp"
#include "sched/spawn_policy.hpp"
#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/fatal.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {
namespace {

using Counts = std::array<std::uint64_t, kWhys>;

struct Log {
  FutexLock lock;
  std::unordered_map<const void*, Counts> constructs;
};
Log& log() {
  static auto* const instance = new Log;  // threads may go on while the program ends
  return *instance;
}

std::string line_of(const Counts& counts) {
  std::string line;
  for (std::size_t why = 0; why < counts.size(); ++why) {
    if (counts[why] == 0) continue;
    line += line.empty() ? " " : ", ";
    line += std::to_string(counts[why]) + " " + std::string(name_of(static_cast<Why>(why)));
  }
  return line;
}

// Where a construct stands, in the order of files and lines.
struct Place {
  std::string file;
  int line = 0;
  std::string text;
  auto operator<=>(const Place&) const = default;
};

Place place_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  int line = 0;
  if (colon != std::string::npos) std::from_chars(&text[colon] + 1, text.data() + text.size(), line);
  return {text.substr(0, colon), line, text};
}

void write_log() {
  Log& all = log();
  const std::lock_guard guard(all.lock);
  std::map<Place, Counts> lines;  // the compiler may have made several copies of a body
  for (const auto& [code, counts] : all.constructs) {
    Counts& sum = lines[place_of(code != nullptr ? line_of_code(code, false) : "taskgraphs and taskloops")];
    for (std::size_t why = 0; why < counts.size(); ++why) sum[why] += counts[why];
  }
  for (const auto& [place, counts] : lines)
    notice("policy: %s:%s", place.text.c_str(), line_of(counts).c_str());
}

// Counts what becomes of tasks, by their constructs.
class PolicyLog final : public Observer {
 public:
  void task_placed(const void* code, const Task* task, Why why) override {
    Log& all = log();
    if (task != nullptr) code = code_of(*task);
    const std::lock_guard guard(all.lock);
    ++all.constructs[code][static_cast<std::size_t>(why)];
  }
};

}  // namespace

void log_policy() {
  static constinit PolicyLog observer;
  add_observer(observer);
  g_reasons.add(Reason::kLogged);
  std::atexit(write_log);
}

}  // namespace heddle
