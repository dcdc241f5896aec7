#include "graph/record_check.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sys/fatal.hpp"

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

}  // namespace heddle
