#include "tasking/policy_log.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/fatal.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

using Counts = std::array<std::uint64_t, kWhys>;

struct Log {
  FutexLock lock;
  std::unordered_map<const void*, Counts> constructs;
  const void* (*code_of)(const Task&) = nullptr;
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

void write_log() {
  Log& all = log();
  const std::lock_guard guard(all.lock);
  std::vector<std::string> lines;
  for (const auto& [code, counts] : all.constructs)
    lines.push_back((code != nullptr ? line_of_code(code, false) : "taskgraphs and taskloops") + ":" +
                    line_of(counts));
  std::ranges::sort(lines);
  for (const std::string& line : lines) notice("policy: %s", line.c_str());
}

}  // namespace

void note_decision(const void* code, Why why) {
  Log& all = log();
  const std::lock_guard guard(all.lock);
  ++all.constructs[code][static_cast<std::size_t>(why)];
}

void note_decision(const Task& task, Why why) {
  note_decision(log().code_of != nullptr ? log().code_of(task) : nullptr, why);
}

void log_policy(const void* (*code_of)(const Task&)) {
  log().code_of = code_of;
  g_reasons.add(Reason::kLogged);
  std::atexit(write_log);
}

}  // namespace heddle
