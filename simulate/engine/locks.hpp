// Locks of the program: who waits is served in turn.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "simulate/time/clock.hpp"

namespace heddle::simulate {

struct SimulatedWorker;

class Locks {
 public:
  /// Returns whether the worker holds it now; otherwise give_back() returns it when it does.
  bool take(std::int64_t number, SimulatedWorker& worker) {
    Lock& lock = locks_[number];
    if (lock.is_held) lock.waiting.push_back(&worker);
    const bool is_taken = !lock.is_held;
    lock.is_held = true;
    return is_taken;
  }
  /// Returns who holds it from now on, or nullptr.
  SimulatedWorker* give_back(std::int64_t number) {
    Lock& lock = locks_[number];
    lock.is_held = !lock.waiting.empty();
    if (!lock.is_held) return nullptr;
    SimulatedWorker* const next = lock.waiting.front();
    lock.waiting.pop_front();
    return next;
  }
  SharedLine& line_of(std::int64_t number) { return locks_[number].line; }

 private:
  struct Lock {
    bool is_held = false;
    std::deque<SimulatedWorker*> waiting;
    SharedLine line;
  };
  std::unordered_map<std::int64_t, Lock> locks_;
};

}  // namespace heddle::simulate
