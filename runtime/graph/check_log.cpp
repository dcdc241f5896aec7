#include "graph/check_log.hpp"

#include <cinttypes>

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

}  // namespace heddle
