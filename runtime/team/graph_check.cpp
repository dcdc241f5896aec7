#include "team/graph_check.hpp"

#include <cstdio>
#include <mutex>
#include <string>
#include <unordered_map>

#include "graph/record_check.hpp"
#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/code_place.hpp"
#include "sys/fatal.hpp"
#include "team/settings.hpp"

namespace heddle {
namespace {

using What = RecordDifference::What;

// Of one execution; those of a loop repeat themselves.
constexpr std::size_t kMostDifferences = 10;

class CheckLog {
 public:
  CheckLog() {
    const std::string& file = settings().check_log;
    if (file.empty()) return;
    file_ = std::fopen(file.c_str(), "we");
    if (file_ == nullptr) warn("HEDDLE_CHECK_LOG: cannot write %s; nothing is logged", file.c_str());
  }

  // d GRAPH_ID REGION EXECUTION TASK CODE WHAT FIRST LAST WAS IS
  void write(const GraphSlot& slot, std::uint64_t execution, const RecordDifference& found) {
    if (file_ == nullptr) return;
    constexpr char kLetters[] = {'n', 'c', 'd', 'v'};
    const int region = codes_.of(slot.where, file_);
    const int code = codes_.of(found.code, file_);
    const std::size_t first = found.what == What::kCount ? found.recorded : found.first_byte;
    std::fprintf(file_, "d %llu %d %llu %zu %d %c %zu %zu %llx %llx\n",
                 static_cast<unsigned long long>(slot.key.id), region,
                 static_cast<unsigned long long>(execution), found.task, code,
                 kLetters[static_cast<int>(found.what)], first, found.last_byte,
                 static_cast<unsigned long long>(found.was), static_cast<unsigned long long>(found.is));
    std::fflush(file_);
  }

  // addr2line is asked once for each piece of code.
  const std::string& line_of(const void* code, bool is_return_address) {
    std::string& line = lines_[code];
    if (line.empty()) line = line_of_code(code, is_return_address);
    return line;
  }

  FutexLock lock;

 private:
  std::FILE* file_ = nullptr;
  CodeNumbers codes_;
  std::unordered_map<const void*, std::string> lines_;
};

CheckLog& check_log() {
  static CheckLog& instance = *new CheckLog;  // other threads may use it while the program ends
  return instance;
}

std::string what_differs(CheckLog& log, const RecordDifference& found) {
  char text[160];
  switch (found.what) {
    case What::kCount:
      std::snprintf(text, sizeof text, "it has %zu tasks and waits, and %zu are recorded", found.task,
                    found.recorded);
      return text;
    case What::kConstruct:
      std::snprintf(text, sizeof text, "task %zu is of another construct, or has other clauses", found.task);
      break;
    case What::kDependences:
      std::snprintf(text, sizeof text, "task %zu has other dependences", found.task);
      break;
    case What::kData:
      std::snprintf(text, sizeof text,
                    "task %zu captures another value: bytes %zu to %zu of its data are 0x%llx, not 0x%llx",
                    found.task, found.first_byte, found.last_byte, static_cast<unsigned long long>(found.is),
                    static_cast<unsigned long long>(found.was));
      break;
  }
  return found.code == nullptr ? text : text + (" (" + log.line_of(found.code, false) + ")");
}

}  // namespace

void check_record(GraphSlot& slot, const Notes& now, bool relocates) {
  const std::uint64_t execution = slot.executions.fetch_add(1, std::memory_order_relaxed) + 1;
  const auto differences = compare_records(*slot.record->notes(), now, !relocates, kMostDifferences);
  if (differences.empty()) return;
  CheckLog& log = check_log();
  const std::lock_guard guard(log.lock);
  const std::string region = log.line_of(slot.where, true);
  for (const RecordDifference& found : differences) {
    log.write(slot, execution, found);
    notice("taskgraph at %s, graph_id %llu: execution %llu is not what was recorded: %s; say graph_reset",
           region.c_str(), static_cast<unsigned long long>(slot.key.id),
           static_cast<unsigned long long>(execution), what_differs(log, found).c_str());
  }
}

}  // namespace heddle
