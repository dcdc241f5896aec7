// Runs small concurrent scenarios in every execution that the C++ memory model lets them have.
//
// Words: an *execution* is a graph: the events of each thread in program order, for each read the write that
// it *reads from*, and for each location the *modification order* of its writes. It is *consistent* where
// RC11 allows it (Lahav, Vafeiadis, Kang, Hur and Dreyer, "Repairing sequential consistency in C/C++11", PLDI
// 2017; release sequences as in C++20). RC11 leaves out executions in which a read depends on itself (load
// buffering); all else that a compiler or a processor may do with the orders that are written is there.
//
// Method: each consistent execution is constructed once, without a bound on the switches between threads
// (Kokologiannakis, Marmanis, Gladstein and Vafeiadis, "Truly stateless, optimal dynamic partial order
// reduction", POPL 2022). A thread of a scenario is a coroutine that stops before each event. A read is tried
// with every write that it may read from; a write that comes later *revisits* the reads that were there
// before, after which what had been added since is constructed anew.
//
// A light fence orders nothing but itself and the heavy ones (sys/fence.hpp; P1202R5, "Asymmetric fences").
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "base/plain.hpp"
#include "sys/fence.hpp"

namespace heddle::test {

class Explorer {
 public:
  /// One scenario: thread bodies, and what must hold when all have ended. Thread bodies are executed again
  /// and again, so that they change nothing but what their scenario owns. At most kMostThreads of them.
  struct Scenario {
    std::vector<std::function<void()>> threads;
    std::function<void()> at_end;
  };
  static constexpr int kMostThreads = 6;

  struct Result {
    std::uint64_t executions = 0;  // complete and consistent
    std::uint64_t blocked = 0;     // abandoned: a thread waits for what another write would have ended
    std::string failure;           // of the first execution that went wrong, with its events; empty: none did
    bool is_complete = false;      // all executions were constructed, or one has failed

    bool has_failed() const { return !failure.empty(); }
  };

  /// Constructs the executions of the scenario that make() returns, until one fails: at most `most`.
  static Result run(const std::function<Scenario()>& make, std::uint64_t most = 2'000'000);

  /// The execution fails where this does not hold. For thread bodies and at_end.
  static void check(bool holds, const char* what);

  /// The number of the calling thread of the scenario.
  static int this_thread();
};

/// Fails the test unless every execution was constructed and none went wrong; records how many there were.
void expect_every_execution_is_right(const Explorer::Result& result);

// -- whether each order is needed

/// A scenario that all of a structure's tests share.
struct NamedScenario {
  const char* name;
  std::function<Explorer::Scenario()> make;
};

/// An order that no scenario needs, and why it stands all the same.
struct Excuse {
  const char* where;  // function and operation, as a failure of the test names them: "pop: load seq_cst"
  const char* reason;
};

/// Fails the test unless each of these scenarios is right, and goes wrong in one of them when any order that
/// these files of runtime/ and mpi/ name is weakened by one step; excused orders may, and then have to, stay
/// right. Writes what it has found of each order into the build's folder `orders`, under the name of the
/// test's suite.
void expect_each_order_is_needed(const std::vector<std::string>& files,
                                 const std::vector<NamedScenario>& scenarios,
                                 const std::vector<Excuse>& excuses = {});

// -- what a scenario's threads do

/// One step of a thread, up to two events.
struct Operation {
  enum class Kind : std::uint8_t { kLoad, kStore, kChange, kAwait, kFence, kConstruct, kDestroy };
  enum class Fence : std::uint8_t { kFull, kLight, kHeavy };

  Kind kind;
  bool is_plain = false;  // not atomic: it must be ordered with all others of its location, or all are reads
  Fence fence = Fence::kFull;
  std::memory_order order = std::memory_order_seq_cst;
  std::memory_order order_of_failure = std::memory_order_seq_cst;  // where kChange writes nothing
  int location = -1;
  std::uint64_t value = 0;  // that is written; after it, that was read
  bool may_fail = false;    // kChange: it may write nothing, with an order of its own
  // kChange: what it writes in place of a value, if anything; kAwait: anything where the value ends the wait.
  std::function<std::optional<std::uint64_t>(std::uint64_t)> change = {};
  std::source_location where = {};
};

/// Has the calling thread execute it. Outside of threads it happens at once, ordered before or after all.
void perform(Operation& operation);

/// A location of its own, which holds `value`. Threads: of the scenario, or while it is made.
int new_location(std::uint64_t value, std::source_location where);
void end_location(int location);

/// The last value in modification order: for at_end.
std::uint64_t last_value(int location);

inline void explored_fence(Operation::Fence fence, std::memory_order order = std::memory_order_seq_cst,
                           std::source_location where = std::source_location::current()) {
  Operation operation{.kind = Operation::Kind::kFence, .fence = fence, .order = order, .where = where};
  perform(operation);
}

/// A location holds the bytes of a value.
template <class T>
std::uint64_t bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}
template <class T>
T of_bits(std::uint64_t bits) {
  T result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

/// Stands in for std::atomic as the atomic policy of a lock-free structure.
template <class T>
class ExploredAtomic {
  using Order = std::memory_order;
  using Where = std::source_location;

 public:
  ExploredAtomic(T value = T{}, Where where = Where::current())  // NOLINT: std::atomic converts as well
      : location_(new_location(bits(value), where)) {}
  ~ExploredAtomic() { end_location(location_); }
  ExploredAtomic(const ExploredAtomic&) = delete;
  ExploredAtomic& operator=(const ExploredAtomic&) = delete;

  T load(Order order = Order::seq_cst, Where where = Where::current()) const {
    Operation operation{
        .kind = Operation::Kind::kLoad, .order = order, .location = location_, .where = where};
    return performed(operation);
  }
  void store(T value, Order order = Order::seq_cst, Where where = Where::current()) {
    Operation operation{.kind = Operation::Kind::kStore,
                        .order = order,
                        .location = location_,
                        .value = bits(value),
                        .where = where};
    perform(operation);
  }
  T exchange(T value, Order order = Order::seq_cst, Where where = Where::current()) {
    return change([value](T) { return value; }, order, where);
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure,
                               Where where = Where::current()) {
    Operation operation{.kind = Operation::Kind::kChange,
                        .order = success,
                        .order_of_failure = failure,
                        .location = location_,
                        .may_fail = true,
                        .change =
                            [wanted = bits(expected), fresh = bits(desired)](std::uint64_t before) {
                              return before == wanted ? std::optional(fresh) : std::nullopt;
                            },
                        .where = where};
    const T before = performed(operation);
    if (bits(before) == bits(expected)) return true;
    expected = before;
    return false;
  }
  bool compare_exchange_strong(T& expected, T desired, Order order = Order::seq_cst,
                               Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, of_failure(order), where);
  }
  /// It does not fail without a cause, other than std::atomic's: whoever calls it tries again.
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, success, failure, where);
  }
  bool compare_exchange_weak(T& expected, T desired, Order order = Order::seq_cst,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, of_failure(order), where);
  }
  T fetch_add(T by, Order order = Order::seq_cst, Where where = Where::current()) {
    return change([by](T v) { return static_cast<T>(v + by); }, order, where);
  }
  T fetch_sub(T by, Order order = Order::seq_cst, Where where = Where::current()) {
    return change([by](T v) { return static_cast<T>(v - by); }, order, where);
  }
  T fetch_or(T by, Order order = Order::seq_cst, Where where = Where::current()) {
    return change([by](T v) { return static_cast<T>(v | by); }, order, where);
  }
  T fetch_and(T by, Order order = Order::seq_cst, Where where = Where::current()) {
    return change([by](T v) { return static_cast<T>(v & by); }, order, where);
  }

  /// Replaces the value by f(value), and returns the one before.
  template <class F>
  T change(F f, Order order, Where where = Where::current()) {
    Operation operation{
        .kind = Operation::Kind::kChange,
        .order = order,
        .order_of_failure = order,
        .location = location_,
        .change = [f](std::uint64_t before) { return std::optional(bits(f(of_bits<T>(before)))); },
        .where = where};
    return performed(operation);
  }

  /// Goes on with a value for which is_enough(value) holds, as a thread does that sleeps on the location.
  /// It fails the execution where no other thread can go on either, and the last value is not enough.
  template <class IsEnough>
  T await(IsEnough is_enough, Order order = Order::relaxed, Where where = Where::current()) const {
    Operation operation{.kind = Operation::Kind::kAwait,
                        .order = order,
                        .location = location_,
                        .change =
                            [is_enough](std::uint64_t value) {
                              return is_enough(of_bits<T>(value)) ? std::optional(value) : std::nullopt;
                            },
                        .where = where};
    return performed(operation);
  }

  /// The last value in modification order: for at_end.
  T peek() const { return of_bits<T>(last_value(location_)); }

 private:
  static Order of_failure(Order order) {
    if (order == Order::acq_rel) return Order::acquire;
    return order == Order::release ? Order::relaxed : order;
  }
  static T performed(Operation& operation) {
    perform(operation);
    return of_bits<T>(operation.value);
  }

  int location_;
};

/// A structure's way to wait for one of its atomics: loads it with that order until is_enough() holds.
inline constexpr auto kAwaitOn = [](const auto& word, auto is_enough, std::memory_order order,
                                    std::source_location where = std::source_location::current()) {
  word.await(is_enough, order, where);
};

/// Data that is not atomic. The execution fails where two threads may touch it at once, one of them to write.
template <class T>
class ExploredData {
  using Where = std::source_location;

 public:
  ExploredData(T value = T{}, Where where = Where::current())  // NOLINT
      : location_(new_location(bits(value), where)) {}
  ~ExploredData() { end_location(location_); }
  ExploredData(const ExploredData&) = delete;
  ExploredData& operator=(const ExploredData&) = delete;

  operator T() const { return get(); }  // NOLINT: as plain data would
  ExploredData& operator=(T value) {
    set(value);
    return *this;
  }

  T get(Where where = Where::current()) const {
    Operation operation{
        .kind = Operation::Kind::kLoad, .is_plain = true, .location = location_, .where = where};
    perform(operation);
    return of_bits<T>(operation.value);
  }
  void set(T value, Where where = Where::current()) {
    Operation operation{.kind = Operation::Kind::kStore,
                        .is_plain = true,
                        .location = location_,
                        .value = bits(value),
                        .where = where};
    perform(operation);
  }

 private:
  int location_;
};

}  // namespace heddle::test

/// Those of structures whose atomics are explored.
template <>
struct heddle::Plain<heddle::test::ExploredAtomic> {
  template <class T>
  using Data = test::ExploredData<T>;
};
template <>
struct heddle::Fences<heddle::test::ExploredAtomic> {
  using Kind = test::Operation::Fence;
  using Where = std::source_location;
  static void full(Where where = Where::current()) {
    test::explored_fence(Kind::kFull, std::memory_order_seq_cst, where);
  }
  static void light(Where where = Where::current()) {
    test::explored_fence(Kind::kLight, std::memory_order_seq_cst, where);
  }
  static void heavy(Where where = Where::current()) {
    test::explored_fence(Kind::kHeavy, std::memory_order_seq_cst, where);
  }
};
