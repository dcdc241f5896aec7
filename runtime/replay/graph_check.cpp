#include "replay/graph_check.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "graph/record_check.hpp"
#include "icv/settings.hpp"
#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

using What = RecordDifference::What;

class Check {
 public:
  void compare(GraphSlot& slot, const TaskLog* now, bool relocates) {
    if (process_id() != process_) return;  // a child: one process is checked
    const std::uint64_t execution = slot.executions.fetch_add(1, std::memory_order_relaxed) + 1;
    const CheckLog::Region region{slot.where, slot.key.id};
    const std::lock_guard guard(lock_);
    log_.begin(region);
    const auto found = [&](const RecordDifference& difference) {
      if (log_.add(region, difference, execution) && !has_file_) print(region, difference, execution);
    };
    if (now == nullptr) return found({.what = What::kRefused});
    compare_records(*slot.record->task_log(), *now, relocates, found);
  }

  void finish() {
    if (process_id() != process_) return;
    const std::lock_guard guard(lock_);
    if (has_file_) return log_.write_counts();
    const auto executions = static_cast<unsigned long long>(log_.executions());
    if (const auto differ = static_cast<unsigned long long>(log_.executions_that_differ()))
      notice(
          "%llu of %llu executions of taskgraph regions differ from what was recorded; 'heddle check' names "
          "the variables, and tells where it is only bytes between them",
          differ, executions);
    else
      notice("%llu executions of taskgraph regions are what was recorded", executions);
  }

 private:
  // What a person wants to see once.
  using Kind = std::tuple<CheckLog::Region, What, const void*>;

  void print(const CheckLog::Region& region, const RecordDifference& found, std::uint64_t execution) {
    if (!printed_.insert({region, found.what, found.code}).second) return;
    const char* const but = found.what == What::kData ? ", unless these lie between variables" : "";
    notice("taskgraph at %s, graph_id %llu: execution %llu is not what was recorded: %s; say graph_reset%s",
           line_of(region.first, true).c_str(), static_cast<unsigned long long>(region.second),
           static_cast<unsigned long long>(execution), what_differs(found).c_str(), but);
  }

  std::string what_differs(const RecordDifference& found) {
    char text[160];
    switch (found.what) {
      case What::kCount:
        std::snprintf(text, sizeof text, "it has %llu tasks and waits, and %llu are recorded",
                      static_cast<unsigned long long>(found.is), static_cast<unsigned long long>(found.was));
        break;
      case What::kConstruct:
        std::snprintf(text, sizeof text, "task %zu is of another construct, or has other clauses",
                      found.task);
        break;
      case What::kDependences:
        std::snprintf(text, sizeof text, "task %zu has other dependences", found.task);
        break;
      case What::kData:
        std::snprintf(text, sizeof text,
                      "task %zu captures another value: bytes %zu to %zu of its data are 0x%llx, not 0x%llx",
                      found.task, found.offset, found.offset + sizeof(found.is) - 1,
                      static_cast<unsigned long long>(found.is), static_cast<unsigned long long>(found.was));
        break;
      case What::kRefused:
        std::snprintf(text, sizeof text, "it does what cannot be recorded, as HEDDLE_LOG=graph says");
        break;
    }
    return found.code == nullptr ? text : text + (" (" + line_of(found.code, false) + ")");
  }

  // addr2line is asked once for each piece of code.
  const std::string& line_of(const void* code, bool is_return_address) {
    std::string& line = lines_[code];
    if (line.empty()) line = line_of_code(code, is_return_address);
    return line;
  }

  const long process_ = process_id();
  FutexLock lock_;
  CheckLog log_{settings().check_log};
  const bool has_file_ = !settings().check_log.empty();
  std::set<Kind> printed_;
  std::unordered_map<const void*, std::string> lines_;
};

Check& the_check() {
  static Check& instance = []() -> Check& {
    std::atexit([] { the_check().finish(); });
    return *new Check;  // other threads may use it while the program ends
  }();
  return instance;
}

}  // namespace

void check_record(GraphSlot& slot, const TaskLog* now, bool relocates) {
  the_check().compare(slot, now, relocates);
}

}  // namespace heddle
