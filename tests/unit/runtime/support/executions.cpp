#include "support/executions.hpp"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/execution.hpp"
#include "support/named_orders.hpp"

namespace heddle::test {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;

using Kind = Operation::Kind;

// -- the threads of a scenario

struct Coroutine {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
  std::function<void()> body;
  Operation* pending = nullptr;  // what it does next
  int constructed = 0;           // locations
  bool has_ended = false;
};

// An execution to go on with.
struct Unfinished {
  Graph graph;
  // The thread whose next event reads this, and where that event stands in the order of additions.
  struct Reading {
    int thread;
    Id from;
    int stamp;
  };
  std::optional<Reading> reading;
};

struct Abandoned {};  // this execution is not gone on with

class Exploration;
Exploration* g_exploration = nullptr;

class Exploration {
 public:
  Exploration(const std::function<Explorer::Scenario()>& make, std::uint64_t most)
      : make_(make), most_(most) {}

  Explorer::Result run() {
    g_exploration = this;
    unfinished_.push_back({});
    while (!unfinished_.empty() && !result_.has_failed() && result_.executions + result_.blocked < most_) {
      Unfinished next = std::move(unfinished_.back());
      unfinished_.pop_back();
      go_on(std::move(next));
    }
    result_.is_complete = unfinished_.empty() || result_.has_failed();
    g_exploration = nullptr;
    return std::move(result_);
  }

  void fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
  }

  // -- called by the scenario

  void perform(Operation& operation) {
    if (!operation.is_plain) {
      operation.order = tried_order(operation, false, current_ != nullptr);
      if (operation.may_fail) operation.order_of_failure = tried_order(operation, true, current_ != nullptr);
    }
    if (current_ == nullptr) return perform_outside(operation);
    current_->pending = &operation;
    swapcontext(&current_->context, &scheduler_);
  }

  int new_location(std::uint64_t value, const std::source_location& where) {
    if (current_ == nullptr) {
      const int number = number_of({kNobody, outside_constructed_++});
      Location& made = location_here(number);
      made.first = value;
      if (made.writes.empty()) made.writes.push_back({kNobody, number});
      return number;
    }
    const int thread = static_cast<int>(current_ - coroutines_.data());
    const int number = number_of({thread, current_->constructed++});
    location_here(number);
    Operation operation{
        .kind = Kind::kConstruct, .is_plain = true, .location = number, .value = value, .where = where};
    perform(operation);
    return number;
  }

  void end_location(int location) {
    if (current_ == nullptr) return;
    Operation operation{.kind = Kind::kDestroy, .is_plain = true, .location = location};
    perform(operation);
  }

  int this_thread() const { return static_cast<int>(current_ - coroutines_.data()); }

  std::uint64_t last_value(int location) const {
    return graph_.value_of(graph_.location(location).writes.back());
  }

  void enter() {
    current_->body();
    current_->has_ended = true;
    current_->pending = nullptr;
    swapcontext(&current_->context, &scheduler_);
  }

 private:
  // The same location has the same number in all executions.
  int number_of(std::pair<int, int> constructed) {
    return numbers_.emplace(constructed, static_cast<int>(numbers_.size())).first->second;
  }
  Location& location_here(int number) {
    if (graph_.locations.size() <= static_cast<std::size_t>(number))
      graph_.locations.resize(static_cast<std::size_t>(number) + 1);
    return graph_.location(number);
  }

  // While the scenario is made, and in at_end: all that is there happened before.
  void perform_outside(Operation& operation) {
    if (operation.location < 0) return;
    Location& location = graph_.location(operation.location);
    const std::uint64_t before = graph_.value_of(location.writes.back());
    std::optional<std::uint64_t> fresh;
    if (operation.kind == Kind::kStore) fresh = operation.value;
    if (operation.kind == Kind::kChange) fresh = operation.change(before);
    operation.value = before;
    if (!fresh) return;
    // In at_end it is a value of its own, behind the others.
    location.first = *fresh;
    const Id first{kNobody, operation.location};
    std::erase(location.writes, first);
    location.writes.push_back(first);
  }

  // -- one execution

  void go_on(Unfinished execution) {
    graph_ = std::move(execution.graph);
    failure_.clear();
    try {
      start();
      replay();
      if (execution.reading) {
        Coroutine& thread = coroutines_[static_cast<std::size_t>(execution.reading->thread)];
        if (thread.pending == nullptr) throw std::logic_error("a scenario does not do the same each time");
        add_read(execution.reading->thread, *thread.pending, execution.reading->from,
                 execution.reading->stamp);
      }
      while (step()) {
      }
      conclude();
    } catch (const Abandoned&) {
    }
    if (!failure_.empty()) result_.failure = failure_ + "\n" + table(graph_);
    stop();
  }

  void start() {
    current_ = nullptr;
    outside_constructed_ = 0;
    const std::vector<Location> kept = std::exchange(graph_.locations, {});
    scenario_ = make_();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      Location& location = location_here(static_cast<int>(i));
      if (!kept[i].writes.empty()) location.writes = kept[i].writes;
    }
    const std::size_t count = scenario_.threads.size();
    if (count > static_cast<std::size_t>(Explorer::kMostThreads)) throw std::logic_error("too many threads");
    graph_.threads.resize(count);
    coroutines_ = std::vector<Coroutine>(count);
    consumed_.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      coroutines_[i].body = scenario_.threads[i];
      prepare(coroutines_[i]);
      resume(coroutines_[i]);
    }
  }

  static void prepare(Coroutine& thread);

  void resume(Coroutine& thread) {
    current_ = &thread;
    swapcontext(&scheduler_, &thread.context);
    current_ = nullptr;
  }

  // Its stack may hold objects that end now; nobody looks at them any more.
  void stop() {
    coroutines_.clear();
    scenario_ = {};
  }

  // Has the threads do what the graph says, each read after the write that it reads.
  void replay() {
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (std::size_t t = 0; t < coroutines_.size(); ++t)
        while (replay_event(t)) goes_on = true;
    }
    for (std::size_t t = 0; t < coroutines_.size(); ++t)
      if (consumed_[t] != graph_.threads[t].size())
        throw std::logic_error("a scenario does not do the same each time");
  }

  // Values are taken anew: addresses are others each time.
  bool replay_event(std::size_t t) {
    auto& events = graph_.threads[t];
    if (consumed_[t] == events.size()) return false;
    Event& event = events[consumed_[t]];
    if (event.what == What::kRead && event.from.thread != kNobody &&
        consumed_[static_cast<std::size_t>(event.from.thread)] <= static_cast<std::size_t>(event.from.index))
      return false;
    Coroutine& thread = coroutines_[t];
    if (thread.pending == nullptr || thread.pending->location != event.location)
      throw std::logic_error("a scenario does not do the same each time");
    if (event.what == What::kWrite) event.value = thread.pending->value;
    if (event.what == What::kRead) thread.pending->value = event.value = graph_.value_of(event.from);
    ++consumed_[t];
    if (consumed_[t] < events.size() && events[consumed_[t]].is_exclusive)
      events[consumed_[t]++].value = thread.pending->change(event.value).value();
    if (!event.waits) resume(thread);
    return true;
  }

  // Adds what the first thread does that can go on. Returns whether there is one.
  bool step() {
    for (std::size_t t = 0; t < coroutines_.size(); ++t) {
      const auto& events = graph_.threads[t];
      Coroutine& thread = coroutines_[t];
      if (thread.has_ended || (!events.empty() && events.back().waits)) continue;
      add(static_cast<int>(t), *thread.pending);
      return true;
    }
    return false;
  }

  void conclude() {
    bool has_waiting = false, may_go_on = false;
    for (const auto& events : graph_.threads) {
      if (events.empty() || !events.back().waits) continue;
      has_waiting = true;
      may_go_on |= graph_.location(events.back().location).writes.back() != events.back().from;
    }
    if (may_go_on) {
      ++result_.blocked;
      return;
    }
    ++result_.executions;
    record_partners(graph_);
    if (has_waiting)
      fail("a thread waits for ever");
    else if (scenario_.at_end)
      scenario_.at_end();
  }

  // -- events

  void add(int t, Operation& operation) {
    std::size_t count = 0;
    for (const auto& events : graph_.threads) count += events.size();
    if (count + 2 >= kMostEvents || graph_.threads[static_cast<std::size_t>(t)].size() > 250) {
      fail("the execution has too many events");
      throw Abandoned();
    }
    switch (operation.kind) {
      case Kind::kFence:
        return add_fence(t, operation);
      case Kind::kStore:
      case Kind::kConstruct:
      case Kind::kDestroy:
        add_write(t, operation, operation.value, operation.order, std::nullopt);
        resume(coroutines_[static_cast<std::size_t>(t)]);
        return;
      case Kind::kLoad:
      case Kind::kChange:
      case Kind::kAwait:
        return choose_read(t, operation);
    }
  }

  Event new_event(int t, What what, const Operation& operation) {
    Event event{.what = what};
    event.is_plain = operation.is_plain;
    event.fence = operation.fence;
    event.order = operation.order;
    event.location = operation.location;
    event.id = {t, static_cast<int>(graph_.threads[static_cast<std::size_t>(t)].size())};
    event.where = operation.where;
    event.view = graph_.view_of(t);
    return event;
  }
  // Its own place in its clocks.
  static void count(Event& event) {
    const auto thread = static_cast<std::size_t>(event.id.thread);
    const auto events = static_cast<std::uint8_t>(event.id.index + 1);
    event.view.before.events[thread] = event.view.causes.events[thread] = events;
  }

  void add_fence(int t, const Operation& operation) {
    Event event = new_event(t, What::kFence, operation);
    event.stamp = graph_.next_stamp++;
    count(event);
    if (operation.fence != Operation::Fence::kLight) {
      if (is_acquire(operation.order)) event.view.before.join(event.view.acquired);
      if (is_release(operation.order)) event.view.released = event.view.before;
    }
    graph_.threads[static_cast<std::size_t>(t)].push_back(event);
    resume(coroutines_[static_cast<std::size_t>(t)]);
  }

  // Tries each write that may be read: the last in modification order here, the others later.
  void choose_read(int t, Operation& operation) {
    check_race(t, operation, false);
    const auto& writes = graph_.location(operation.location).writes;
    if (writes.empty()) {
      fail("what is read is not there yet");
      throw Abandoned();
    }
    const int stamp = graph_.next_stamp++;
    const int last = static_cast<int>(writes.size()) - 1;
    if (!operation.is_plain)
      for (int i = graph_.least_position(t, operation.location); i < last; ++i)
        unfinished_.push_back({graph_, Unfinished::Reading{t, writes[static_cast<std::size_t>(i)], stamp}});
    add_read(t, operation, writes.back(), stamp, true);
  }

  void add_read(int t, Operation& operation, Id from, int stamp, bool is_last = false) {
    Event event = new_event(t, What::kRead, operation);
    event.stamp = stamp;
    event.from = from;
    event.value = graph_.value_of(from);
    std::optional<std::uint64_t> fresh;
    if (operation.change) fresh = operation.change(event.value);
    if (operation.kind == Kind::kChange && !fresh) {
      event.order = operation.order_of_failure;
      event.is_of_failure = true;
    }
    event.waits = operation.kind == Kind::kAwait && !fresh;
    if (from.thread != kNobody) {
      const Event& write = graph_.at(from);
      event.view.acquired.join(write.release);
      event.view.causes.join(write.view.causes);
      if (is_acquire(event.order) && !event.is_plain) event.view.before.join(write.release);
    }
    count(event);
    graph_.threads[static_cast<std::size_t>(t)].push_back(event);
    const bool writes = operation.kind == Kind::kChange && fresh.has_value();
    // What another change has read already is read for this write to revisit that change, and no more.
    const bool is_taken =
        writes && graph_.is_followed_by_its_change(event.location, graph_.position(event.location, from));
    if (!is_last && !is_taken && !is_consistent(graph_)) throw Abandoned();
    if (writes) add_write(t, operation, *fresh, event.order, from);
    operation.value = event.value;
    if (!event.waits) resume(coroutines_[static_cast<std::size_t>(t)]);
  }

  // changed: what a change has read.
  void add_write(int t, const Operation& operation, std::uint64_t value, std::memory_order order,
                 std::optional<Id> changed) {
    if (!changed) check_race(t, operation, true);
    Event event = new_event(t, What::kWrite, operation);
    event.order = order;
    event.value = value;
    event.is_exclusive = changed.has_value();
    event.ends_location = operation.kind == Kind::kDestroy;
    count(event);
    event.release = !event.is_plain && is_release(order) ? event.view.before : event.view.released;
    if (changed && changed->thread != kNobody) event.release.join(graph_.at(*changed).release);
    event.stamp = graph_.next_stamp++;

    const Graph before = graph_;
    if (!event.is_plain) revisit(before, event, changed);
    const std::vector<int> places = places_of(before, event, changed);
    if (places.empty()) throw Abandoned();
    for (const int place : places) {
      if (place == places.back()) continue;
      Graph other = before;
      insert(other, event, place);
      if (is_consistent(other)) unfinished_.push_back({std::move(other), std::nullopt});
    }
    insert(graph_, event, places.back());
    const bool is_last = places.back() == static_cast<int>(before.location(event.location).writes.size());
    if (!is_last && !is_consistent(graph_)) throw Abandoned();
  }

  // Where it may stand in modification order.
  static std::vector<int> places_of(const Graph& graph, const Event& event, std::optional<Id> changed) {
    const auto& writes = graph.location(event.location).writes;
    const int end = static_cast<int>(writes.size());
    std::vector<int> places;
    if (changed) {
      const int at = graph.position(event.location, *changed);
      if (at < end && !graph.is_followed_by_its_change(event.location, at)) places.push_back(at + 1);
      return places;
    }
    if (event.is_plain || end == 0) return {end};
    for (int place = graph.least_position(event.id.thread, event.location) + 1; place <= end; ++place)
      if (!graph.is_followed_by_its_change(event.location, place - 1)) places.push_back(place);
    return places;
  }

  static void insert(Graph& graph, const Event& event, int place) {
    auto& writes = graph.location(event.location).writes;
    writes.insert(writes.begin() + place, event.id);
    graph.threads[static_cast<std::size_t>(event.id.thread)].push_back(event);
  }

  // The reads that might as well read this write, had it been there: the execution without what came after.
  void revisit(const Graph& graph, const Event& write, std::optional<Id> changed) {
    graph.for_each([&](const Event& read) {
      if (read.what != What::kRead || read.is_plain || read.location != write.location ||
          write.view.causes.has(read.id))
        return;
      const auto is_left_out = [&](const Event& event) {
        return event.stamp >= read.stamp && !write.view.causes.has(event.id);
      };
      bool is_maximal = true;
      graph.for_each([&](const Event& event) {
        if (is_maximal && is_left_out(event)) is_maximal = was_added_maximally(graph, event, write);
      });
      if (!is_maximal) return;
      Graph rest = without(graph, is_left_out);
      for (const int place : places_of(rest, write, changed)) {
        Graph with = rest;
        insert(with, write, place);
        if (is_readable(with, read.id.thread, write) && is_consistent(with))
          unfinished_.push_back({std::move(with), Unfinished::Reading{read.id.thread, write.id, read.stamp}});
      }
    });
  }

  // Whether the thread's next read may see the write.
  static bool is_readable(const Graph& graph, int thread, const Event& write) {
    return graph.position(write.location, write.id) >= graph.least_position(thread, write.location);
  }

  // Each execution is constructed by one way only: where what is left out was added as the method adds it
  // first.
  static bool was_added_maximally(const Graph& graph, const Event& event, const Event& write) {
    if (event.location < 0) return true;
    const auto is_before = [&](const Event& other) {
      return other.stamp <= event.stamp || write.view.causes.has(other.id);
    };
    bool is_maximal = true;
    const Id chosen = event.what == What::kWrite ? event.id : event.from;
    const int position = graph.position(event.location, chosen);
    graph.for_each([&](const Event& other) {
      if (other.location != event.location || !is_before(other)) return;
      if (other.what == What::kWrite && graph.position(event.location, other.id) > position)
        is_maximal = false;
      if (event.what == What::kWrite && other.what == What::kRead && other.from == event.id)
        is_maximal = false;
    });
    return is_maximal;
  }

  template <class IsLeftOut>
  static Graph without(const Graph& graph, IsLeftOut&& is_left_out) {
    Graph rest = graph;
    for (auto& location : rest.locations)
      std::erase_if(location.writes,
                    [&](Id id) { return id.thread != kNobody && is_left_out(graph.at(id)); });
    for (auto& events : rest.threads) std::erase_if(events, is_left_out);
    return rest;
  }

  // What comes now is ordered behind every event of its location that it could disturb, or be disturbed by.
  void check_race(int t, const Operation& operation, bool is_write) {
    const Clock before = graph_.view_of(t).before;
    graph_.for_each([&](const Event& other) {
      if (other.location != operation.location || (!is_write && other.what == What::kRead)) return;
      if (before.has(other.id)) {
        if (other.ends_location) fail("what is used has ended");
        return;
      }
      if (operation.is_plain || other.is_plain) fail("a data race with " + described(other));
    });
    if (!failure_.empty()) throw Abandoned();
  }

  const std::function<Explorer::Scenario()>& make_;
  const std::uint64_t most_;
  Explorer::Result result_;
  std::vector<Unfinished> unfinished_;
  std::map<std::pair<int, int>, int> numbers_;

  // The execution at hand.
  Graph graph_;
  Explorer::Scenario scenario_;
  std::vector<Coroutine> coroutines_;
  std::vector<std::size_t> consumed_;
  Coroutine* current_ = nullptr;
  ucontext_t scheduler_;
  int outside_constructed_ = 0;
  std::string failure_;
};

void run_current() {
  g_exploration->enter();
}

void Exploration::prepare(Coroutine& thread) {
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = thread.stack.get();
  thread.context.uc_stack.ss_size = kStackBytes;
  thread.context.uc_link = nullptr;
  makecontext(&thread.context, run_current, 0);
}

}  // namespace

Explorer::Result Explorer::run(const std::function<Scenario()>& make, std::uint64_t most) {
  return Exploration(make, most).run();
}

void Explorer::check(bool holds, const char* what) {
  if (!holds) g_exploration->fail(what);
}

int Explorer::this_thread() {
  return g_exploration->this_thread();
}

void perform(Operation& operation) {
  g_exploration->perform(operation);
}
int new_location(std::uint64_t value, std::source_location where) {
  return g_exploration->new_location(value, where);
}
void end_location(int location) {
  if (g_exploration != nullptr) g_exploration->end_location(location);
}
std::uint64_t last_value(int location) {
  return g_exploration->last_value(location);
}

void expect_every_execution_is_right(const Explorer::Result& result) {
  EXPECT_TRUE(result.is_complete) << result.executions << " executions, and more";
  EXPECT_FALSE(result.has_failed()) << result.failure;
  ::testing::Test::RecordProperty("executions", static_cast<int>(result.executions));
}

}  // namespace heddle::test
