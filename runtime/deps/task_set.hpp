// The tasks of one set of accesses: one or two in most programs, so these need no memory of their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "deps/access.hpp"
#include "task/task.hpp"

namespace heddle {

class TaskSet {
 public:
  TaskSet() = default;
  TaskSet(TaskSet&& other) noexcept { swap(other); }
  TaskSet& operator=(TaskSet&& other) noexcept {
    swap(other);
    return *this;
  }
  ~TaskSet() {
    if (is_on_heap()) delete[] heap_;
  }

  AccessKind kind = AccessKind::kOut;  // what all of them do

  Task** begin() { return is_on_heap() ? heap_ : inline_; }
  Task** end() { return begin() + count_; }
  std::uint32_t size() const { return count_; }
  bool is_full() const { return count_ == std::uint32_t{1} << capacity_log_; }

  void add(Task* task) {
    if (is_full()) grow();
    begin()[count_++] = task;
  }
  /// Its room stays.
  void shrink_to(std::uint32_t count) { count_ = count; }

 private:
  static constexpr std::uint8_t kInlineLog = 1;

  bool is_on_heap() const { return capacity_log_ > kInlineLog; }
  void swap(TaskSet& other) {
    std::swap(kind, other.kind);
    std::swap(capacity_log_, other.capacity_log_);
    std::swap(count_, other.count_);
    std::swap(inline_, other.inline_);
  }
  [[gnu::noinline]] void grow() {
    auto** const larger = new Task*[std::size_t{2} << capacity_log_];
    std::memcpy(larger, begin(), count_ * sizeof(Task*));
    if (is_on_heap()) delete[] heap_;
    heap_ = larger;
    ++capacity_log_;
  }

  std::uint8_t capacity_log_ = kInlineLog;
  std::uint32_t count_ = 0;
  union {
    Task* inline_[std::size_t{1} << kInlineLog] = {};
    Task** heap_;  // where there are more
  };
};

}  // namespace heddle
