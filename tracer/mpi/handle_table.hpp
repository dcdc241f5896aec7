// What is known of handles of MPI: of requests and of matched messages.
//
// Words: a *handle* is MPI's number or address of an object. MPI gives the same one again as soon as its
// object is gone. An entry is *stale* from then on until the thread that saw the object's end has taken it
// out.
//
// Invariant: one entry a handle. Whoever has been given a handle by MPI waits until its stale entry is gone,
// before the program has the handle: what is found of a handle is of its present object.
#pragma once

#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "tracer/clock.hpp"

namespace heddle::tracer {

/// Threads: any; that two threads use one handle at the same time is forbidden by MPI.
template <class Handle, class Value>
class HandleTable {
 public:
  // Longer than a thread that is about to take out its entry may be without a processor. An entry that stays
  // is of an object whose end was not seen, as a request is that a library waits for by PMPI_Wait(): where
  // there are many nobody waits for them any more.
  static constexpr std::uint64_t kPatienceNs = 300'000'000;

  explicit HandleTable(std::uint64_t patience_ns = kPatienceNs) : patience_ns_(patience_ns) {}

  /// MPI has given this handle to a new object, of which nothing is known.
  void await_no_entry(Handle handle) {
    if (is_empty()) return;
    await(
        [&](Shard& shard, bool gives_up) {
          const auto at = shard.entries.find(key_of(handle));
          if (at == shard.entries.end()) return true;
          if (!gives_up) return false;
          shard.entries.erase(at);
          size_.fetch_sub(1, std::memory_order_relaxed);
          return true;
        },
        handle);
  }

  /// MPI has given this handle to a new object.
  void put(Handle handle, Value value) {
    await(
        [&](Shard& shard, bool gives_up) {
          const auto [at, is_new] = shard.entries.try_emplace(key_of(handle), std::move(value));
          if (is_new)
            size_.fetch_add(1, std::memory_order_relaxed);
          else if (gives_up)
            at->second = std::move(value);
          return is_new || gives_up;
        },
        handle);
  }

  std::optional<Value> take(Handle handle) {
    return take_if(handle, [](const Value&) { return true; });
  }
  /// Where the entry is as wanted.
  template <class Wanted>
  std::optional<Value> take_if(Handle handle, const Wanted& is_wanted) {
    if (is_empty()) return std::nullopt;
    Shard& shard = shard_of(handle);
    const std::lock_guard guard(shard.lock);
    const auto at = shard.entries.find(key_of(handle));
    if (at == shard.entries.end() || !is_wanted(std::as_const(at->second))) return std::nullopt;
    std::optional<Value> value(std::move(at->second));
    shard.entries.erase(at);
    size_.fetch_sub(1, std::memory_order_relaxed);
    return value;
  }

  std::optional<Value> find(Handle handle) {
    if (is_empty()) return std::nullopt;
    Shard& shard = shard_of(handle);
    const std::lock_guard guard(shard.lock);
    const auto at = shard.entries.find(key_of(handle));
    return at != shard.entries.end() ? std::optional<Value>(at->second) : std::nullopt;
  }

  // relaxed: whoever has a handle that is in the table knows of it from the thread that has put it there
  [[nodiscard]] bool is_empty() const { return size_.load(std::memory_order_relaxed) == 0; }

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr int kMostInVain = 10;

  struct alignas(64) Shard {
    std::mutex lock;
    std::unordered_map<std::size_t, Value> entries;  // by key_of()
  };

  // Calls attempt(shard, gives_up), with the shard locked, until it is true.
  template <class Attempt>
  void await(const Attempt& attempt, Handle handle) {
    Shard& shard = shard_of(handle);
    const auto is_done = [&](bool gives_up) {
      const std::lock_guard guard(shard.lock);
      return attempt(shard, gives_up);
    };
    if (is_done(false)) return;
    const std::uint64_t end = monotonic_ns() + patience_ns_;
    while (in_vain_.load(std::memory_order_relaxed) < kMostInVain && monotonic_ns() < end) {
      sched_yield();
      if (is_done(false)) return;
    }
    in_vain_.fetch_add(1, std::memory_order_relaxed);
    is_done(true);
  }

  static std::size_t key_of(Handle handle) {
    std::size_t key = 0;
    static_assert(sizeof handle <= sizeof key);
    std::memcpy(&key, &handle, sizeof handle);
    return key;
  }

  // Handles that are addresses differ in the middle, those that are numbers at the end.
  Shard& shard_of(Handle handle) {
    const std::size_t key = key_of(handle);
    return shards_[(key ^ (key >> 6U) ^ (key >> 12U)) % kShards];
  }

  std::uint64_t patience_ns_;
  std::array<Shard, kShards> shards_;
  alignas(64) std::atomic<std::size_t> size_{0};
  std::atomic<int> in_vain_{0};
};

}  // namespace heddle::tracer
