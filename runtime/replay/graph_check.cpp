#include "replay/graph_check.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "icv/settings.hpp"
#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {
using What = RecordDifference::What;

CheckLog::CheckLog(const std::string& file) {
  if (file.empty()) return;
  file_ = std::fopen(file.c_str(), "we");
  if (file_ == nullptr) {
    warn("HEDDLE_CHECK_LOG='%s' cannot be written; there will be no log", file.c_str());
    return;
  }
  std::fputs("heddle check 1\n", file_);
  std::fflush(file_);  // or a child of this process would write it again
}

CheckLog::~CheckLog() {
  if (file_ != nullptr) std::fclose(file_);
}

void CheckLog::begin(const Region& region) {
  ++executions_;
  differs_ = false;
  if (compared_[region]++ == 0) write_compared(region, 1);
}

bool CheckLog::add(const Region& region, const RecordDifference& found, std::uint64_t execution) {
  if (!std::exchange(differs_, true)) ++executions_that_differ_;
  const Key key{region, found.what, found.code, found.recorded_code, found.offset, found.bytes};
  const auto [at, is_new] = counts_.try_emplace(key);
  Count& count = at->second;
  if (is_new) count.number = counts_.size() - 1;
  ++count.tasks;
  if (std::exchange(count.last, executions_) != executions_) ++count.executions;
  if (!is_new || file_ == nullptr) return is_new;
  constexpr char kLetters[] = {'n', 'c', 'd', 'v', 'r'};
  const int place = number_of(region.first), code = number_of(found.code),
            recorded = number_of(found.recorded_code);
  std::fprintf(
      file_, "d %" PRIu64 " %" PRIu64 " %d %d %d %c %zu %zu %zu %u %" PRIu64 " %zu %" PRIx64 " %" PRIx64 "\n",
      count.number, region.second, place, code, recorded, kLetters[static_cast<int>(found.what)],
      found.offset, found.captured_bytes, found.header_bytes, static_cast<unsigned>(found.bytes), execution,
      found.task, found.was, found.is);
  std::fflush(file_);
  return is_new;
}

void CheckLog::write_counts() {
  if (file_ == nullptr) return;
  for (const auto& [region, times] : compared_) write_compared(region, times);
  for (const auto& [key, count] : counts_)
    std::fprintf(file_, "t %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", count.number, count.executions,
                 count.tasks);
  std::fflush(file_);
}

void CheckLog::write_compared(const Region& region, std::uint64_t times) {
  if (file_ == nullptr) return;
  const int place = number_of(region.first);
  std::fprintf(file_, "s %" PRIu64 " %d %" PRIu64 "\n", region.second, place, times);
  std::fflush(file_);
}

namespace {

using Word = std::uint64_t;
using What = RecordDifference::What;

// An entry, and what its run says of it.
struct Item {
  TaskLog::What what;
  Gate gate;
  GraphNode node;
  GraphEvent* event;
  std::vector<Dependence> dependences;

  // As it was captured: a body may have changed data that do not move.
  const char* data() const { return node.kind->moves ? node.data : static_cast<const char*>(node.image()); }
};

std::vector<Item> items_of(const TaskLog& task_log) {
  std::vector<Item> items;
  std::vector<Dependence> room;
  task_log.for_each_run([&](const TaskLog::Run& run) {
    run.for_each([&](const TaskLog::Entry& entry) {
      const auto dependences = entry.dependences(room);
      items.push_back(
          {run.what(), run.gate(), entry.node(), entry.event(), {dependences.begin(), dependences.end()}});
    });
  });
  return items;
}

// Pairs of words that mean the same in both: handles of the events of one task.
using EqualWords = std::vector<std::pair<Word, Word>>;

EqualWords handles_of(const std::vector<Item>& recorded, const std::vector<Item>& now) {
  EqualWords equal;
  for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i)
    if (recorded[i].event != nullptr && now[i].event != nullptr)
      equal.emplace_back(reinterpret_cast<Word>(recorded[i].event->handle()),
                         reinterpret_cast<Word>(now[i].event->handle()));
  return equal;
}

// Addresses that stand for one another in both.
class Addresses {
 public:
  explicit Addresses(bool may_differ) : may_differ_(may_differ) {}

  bool are_same(const void* recorded, const void* now) {
    if (!may_differ_) return recorded == now;
    return now_.emplace(recorded, now).first->second == now &&
           recorded_.emplace(now, recorded).first->second == recorded;
  }
  bool are_same(const Dependence& recorded, const Dependence& now) {
    return recorded.kind == now.kind && recorded.is_all_memory == now.is_all_memory &&
           (recorded.is_all_memory || are_same(recorded.address, now.address));
  }

 private:
  const bool may_differ_;
  std::unordered_map<const void*, const void*> now_, recorded_;
};

using Found = std::function<void(const RecordDifference&)>;

class Comparison {
 public:
  Comparison(const EqualWords& equal, bool relocates, const Found& found)
      : equal_(equal), relocates_(relocates), addresses_(relocates), found_(found) {}

  void compare(std::size_t number, const Item& recorded, const Item& now) {
    RecordDifference difference;
    difference.task = number;
    difference.code = now.node.kind->code;
    difference.recorded_code = recorded.node.kind->code;
    const bool is_same_construct = recorded.what == now.what && recorded.gate == now.gate &&
                                   *recorded.node.kind == *now.node.kind &&
                                   (recorded.event == nullptr) == (now.event == nullptr);
    if (!is_same_construct) {
      difference.what = What::kConstruct;
      return found_(difference);
    }
    const auto are_same = [&](const Dependence& a, const Dependence& b) { return addresses_.are_same(a, b); };
    if (!std::ranges::equal(recorded.dependences, now.dependences, are_same)) {
      difference.what = What::kDependences;
      difference.was = recorded.dependences.size();
      difference.is = now.dependences.size();
      found_(difference);
    }
    if (!relocates_ && now.node.kind->bytes != 0) compare_data(difference, recorded, now);
  }

 private:
  void compare_data(RecordDifference difference, const Item& recorded, const Item& now) const {
    const std::size_t bytes = now.node.kind->bytes;  // whole words
    difference.what = What::kData;
    difference.captured_bytes = bytes;
    difference.header_bytes = now.node.kind->header_bytes;
    for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
      std::memcpy(&difference.was, recorded.data() + at, sizeof(Word));
      std::memcpy(&difference.is, now.data() + at, sizeof(Word));
      if (difference.was == difference.is || mean_the_same(difference.was, recorded, difference.is, now))
        continue;
      difference.offset = at;
      difference.bytes = 0;
      for (std::size_t i = 0; i < sizeof(Word); ++i)
        if (recorded.data()[at + i] != now.data()[at + i])
          difference.bytes = static_cast<std::uint8_t>(difference.bytes | 1u << i);
      found_(difference);
    }
  }

  bool mean_the_same(Word was, const Item& recorded, Word is, const Item& now) const {
    // What a body gets may be the copy in front of the image.
    const auto offset = [](Word word, const Item& item) {
      return word - reinterpret_cast<Word>(item.node.data);
    };
    const std::size_t reach = now.node.kind->bytes * 2;
    if (offset(was, recorded) == offset(is, now) && offset(is, now) < reach) return true;
    return std::ranges::find(equal_, std::pair(was, is)) != equal_.end();
  }

  const EqualWords& equal_;
  const bool relocates_;
  Addresses addresses_;
  const Found& found_;
};

}  // namespace

void compare_records(const TaskLog& recorded, const TaskLog& now, bool relocates, const Found& found) {
  const std::vector<Item> before = items_of(recorded), after = items_of(now);
  const EqualWords equal = handles_of(before, after);
  Comparison comparison(equal, relocates, found);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    comparison.compare(i, before[i], after[i]);
  if (before.size() == after.size()) return;
  RecordDifference count;
  count.task = after.size();
  count.was = before.size();
  count.is = after.size();
  found(count);
}

namespace {

using What = RecordDifference::What;

class Check {
 public:
  void compare(GraphSlot& slot, const TaskLog* now, bool relocates) {
    if (process_id() != process_) return;  // a child: one process is checked
    const std::uint64_t execution = slot.executions.fetch_add(1) + 1;
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
