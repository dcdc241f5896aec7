// The tasks of one set of accesses: one or two in most programs, so these need no memory of their own.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "task/task.hpp"

namespace heddle {

class TaskSet {
 public:
  TaskSet() = default;
  TaskSet(TaskSet&& other) noexcept { *this = std::move(other); }
  TaskSet& operator=(TaskSet&& other) noexcept {
    count_ = std::exchange(other.count_, 0);
    capacity_ = std::exchange(other.capacity_, kInline);
    heap_ = std::move(other.heap_);
    std::memcpy(inline_, other.inline_, sizeof inline_);
    return *this;
  }

  Task** begin() { return heap_ ? heap_.get() : inline_; }
  Task** end() { return begin() + count_; }
  std::uint32_t size() const { return count_; }
  bool is_full() const { return count_ == capacity_; }

  void add(Task* task) {
    if (is_full()) grow();
    begin()[count_++] = task;
  }
  void shrink_to(std::uint32_t count) { count_ = count; }

 private:
  static constexpr std::uint32_t kInline = 2;

  void grow() {
    auto larger = std::make_unique<Task*[]>(2 * capacity_);
    std::memcpy(larger.get(), begin(), count_ * sizeof(Task*));
    heap_ = std::move(larger);
    capacity_ *= 2;
  }

  std::uint32_t count_ = 0;
  std::uint32_t capacity_ = kInline;
  Task* inline_[kInline] = {};
  std::unique_ptr<Task*[]> heap_;
};

}  // namespace heddle
