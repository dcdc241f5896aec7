// One execution of a scenario as a graph of events, and whether RC11 allows it (executions.hpp has the
// words).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/executions.hpp"

namespace heddle::test {

inline constexpr int kMostEvents = 192;  // of an execution; a scenario that needs more does not end
inline constexpr int kNobody = -1;       // the thread of a location's first value

// Names an event for good: the index-th of its thread. Of kNobody, index is a location, whose first value it
// is.
struct Id {
  int thread = kNobody;
  int index = 0;
  bool operator==(const Id&) const = default;
};

// How many events of each thread are ordered before something.
struct Clock {
  std::array<std::uint8_t, Explorer::kMostThreads> events{};

  bool has(Id id) const {
    return id.thread == kNobody || id.index < events[static_cast<std::size_t>(id.thread)];
  }
  void join(const Clock& other) {
    for (std::size_t i = 0; i < events.size(); ++i) events[i] = std::max(events[i], other.events[i]);
  }
};

// What a thread has seen, after an event of it.
struct View {
  Clock before;    // what happens before what comes next
  Clock acquired;  // what an acquire fence would add to that
  Clock released;  // what happened before the last release fence
  Clock causes;    // program order and reads-from, through every order: of the event
};

enum class What : std::uint8_t { kRead, kWrite, kFence };

struct Event {
  What what;
  bool is_plain = false;
  bool is_exclusive = false;   // the write of a change, which follows its read
  bool is_of_failure = false;  // the read of a change that writes nothing
  bool waits = false;          // the read of an await that was not enough
  bool ends_location = false;
  Operation::Fence fence = Operation::Fence::kFull;
  std::memory_order order = std::memory_order_seq_cst;
  int location = -1;
  std::uint64_t value = 0;  // written or read
  Id id = {};
  Id from = {};        // of a read
  int stamp = 0;       // the order in which events were added; a read that was revisited keeps its own
  Clock release = {};  // of a write: what a read that acquires it adds to its thread's view
  View view = {};
  std::source_location where = {};
};

struct Location {
  std::uint64_t first = 0;  // the value that it has before all threads
  std::vector<Id> writes;   // in modification order
};

struct Graph {
  std::vector<std::vector<Event>> threads;
  std::vector<Location> locations;
  int next_stamp = 0;

  const Event& at(Id id) const {
    return threads[static_cast<std::size_t>(id.thread)][static_cast<std::size_t>(id.index)];
  }
  Event& at(Id id) {
    return threads[static_cast<std::size_t>(id.thread)][static_cast<std::size_t>(id.index)];
  }
  Location& location(int number) { return locations[static_cast<std::size_t>(number)]; }
  const Location& location(int number) const { return locations[static_cast<std::size_t>(number)]; }
  std::uint64_t value_of(Id write) const {
    return write.thread == kNobody ? location(write.index).first : at(write).value;
  }
  int position(int location_number, Id write) const {
    const auto& writes = location(location_number).writes;
    return static_cast<int>(std::ranges::find(writes, write) - writes.begin());
  }
  template <class F>
  void for_each(F&& f) const {
    for (const auto& thread : threads)
      for (const Event& event : thread) f(event);
  }
  View view_of(int thread) const {
    const auto& events = threads[static_cast<std::size_t>(thread)];
    return events.empty() ? View() : events.back().view;
  }

  // The first position of modification order that a new event of the thread may read, or write behind:
  // coherence.
  int least_position(int thread, int location_number) const {
    const Clock before = view_of(thread).before;
    int least = 0;
    for_each([&](const Event& event) {
      if (event.location != location_number || !before.has(event.id)) return;
      const Id seen = event.what == What::kWrite ? event.id : event.from;
      least = std::max(least, position(location_number, seen));
    });
    return least;
  }
  // Whether a change has read the write at this position and stands right behind it.
  bool is_followed_by_its_change(int location_number, int at_position) const {
    const auto& writes = location(location_number).writes;
    if (at_position + 1 >= static_cast<int>(writes.size())) return false;
    const Id next = writes[static_cast<std::size_t>(at_position) + 1];
    return next.thread != kNobody && at(next).is_exclusive;
  }
};

/// Whether there is no cycle among its sequentially consistent accesses and fences (RC11's psc). What
/// coherence and atomicity demand holds by construction.
bool is_consistent(const Graph& graph);

/// An event in words, as in failures.
std::string described(const Event& event);

/// The events of an execution, each after what it reads, and each location's modification order.
std::string table(const Graph& graph);

}  // namespace heddle::test
