// Random regions, and what must be ordered in them by the words of the standard.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "graph/recording.hpp"
#include "replay/replay.hpp"

namespace heddle::test {

/// before[j][i]: i comes before j.
using Order = std::vector<std::vector<bool>>;

inline void close_transitively(Order& before) {
  for (std::size_t j = 0; j < before.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (before[j][i])
        for (std::size_t h = 0; h < i; ++h)
          if (before[i][h]) before[j][h] = true;
}

struct Region {
  enum class Item { kTask, kUndeferred, kWait, kGroupBegin, kGroupEnd };
  std::vector<Item> items;
  std::vector<std::vector<Dependence>> dependences;  // by item
};

inline void* address_of(std::uint32_t n) {
  return reinterpret_cast<void*>(std::uintptr_t{64} * (n + 1));
}

inline Region random_region(std::uint32_t seed, std::size_t items, std::uint32_t addresses) {
  std::mt19937 random(seed);
  Region region;
  int open_groups = 0;
  for (std::size_t i = 0; i < items; ++i) {
    auto item = Region::Item::kTask;
    const auto die = random() % 40;
    if (die == 0) item = Region::Item::kWait;
    if (die == 1) item = Region::Item::kUndeferred;
    if (die == 2) item = Region::Item::kGroupBegin;
    if (die <= 4 && die >= 3 && open_groups > 0) item = Region::Item::kGroupEnd;
    open_groups += item == Region::Item::kGroupBegin ? 1 : item == Region::Item::kGroupEnd ? -1 : 0;
    region.items.push_back(item);
    std::vector<Dependence> dependences;
    if (item == Region::Item::kTask || item == Region::Item::kUndeferred) {
      for (auto left = random() % 4; left > 0; --left) {
        // Readers outnumber writers, so that sets grow.
        static constexpr AccessKind kKinds[] = {AccessKind::kIn,       AccessKind::kIn,
                                                AccessKind::kIn,       AccessKind::kOut,
                                                AccessKind::kInOutSet, AccessKind::kMutexInOutSet};
        dependences.push_back({address_of(random() % addresses), kKinds[random() % 6], false});
      }
      if (random() % 60 == 0) dependences.push_back({nullptr, AccessKind::kOut, true});
    }
    region.dependences.push_back(dependences);
  }
  for (; open_groups > 0; --open_groups) {
    region.items.push_back(Region::Item::kGroupEnd);
    region.dependences.emplace_back();
  }
  return region;
}

/// The region with nothing but its tasks, all of them deferred.
inline Region without_gates(Region region) {
  for (std::size_t i = 0; i < region.items.size(); ++i) region.items[i] = Region::Item::kTask;
  return region;
}

/// The region so many times, one after the other.
inline Region repeated(const Region& region, std::size_t times) {
  Region all;
  for (std::size_t n = 0; n < times; ++n) {
    all.items.insert(all.items.end(), region.items.begin(), region.items.end());
    all.dependences.insert(all.dependences.end(), region.dependences.begin(), region.dependences.end());
  }
  return all;
}

/// Has `to`, which is TaskLog or a Recording, know the region. Each task is as `body` but for its `code`,
/// which is its number among the tasks, from 1.
template <class To, class Body>
void tell(const Region& region, To& to, Body body) {
  std::uintptr_t number = 0;
  for (std::size_t i = 0; i < region.items.size(); ++i) {
    switch (region.items[i]) {
      case Region::Item::kTask:
      case Region::Item::kUndeferred:
        body.code = reinterpret_cast<void*>(++number);
        to.add_task(body, region.dependences[i],
                    region.items[i] == Region::Item::kUndeferred ? Gate::kYes : Gate::kNo);
        break;
      case Region::Item::kWait:
        to.add_wait();
        break;
      case Region::Item::kGroupBegin:
        to.begin_group();
        break;
      case Region::Item::kGroupEnd:
        to.end_group();
        break;
    }
  }
}

/// bytes: of data that each task has, and that are restored in place.
inline void record(const Region& region, Recording& recording, std::uint32_t bytes = 0) {
  RecordedTask task;
  task.run = [](void*, void*) {};
  task.bytes = bytes;
  tell(region, recording, task);
}

/// What the recorded edges order, joins left out.
inline Order order_of_tasks(const Recording& recording) {
  const auto& nodes = recording.nodes();
  Order all(nodes.size(), std::vector<bool>(nodes.size(), false));
  for (NodeIndex i = 0; i < nodes.size(); ++i)
    for (const NodeIndex p : recording.predecessors_of(i)) all[i][p] = true;
  close_transitively(all);
  std::vector<std::size_t> tasks;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].is_join()) tasks.push_back(i);
  Order order(tasks.size(), std::vector<bool>(tasks.size(), false));
  for (std::size_t j = 0; j < tasks.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) order[j][i] = all[tasks[j]][tasks[i]];
  return order;
}

/// What the standard orders, of tasks numbered from 0: by the accesses, and by what the region's code waits
/// for.
inline Order order_by_the_standard(const Region& region) {
  struct Access {
    std::size_t task;
    AccessKind kind;
    void* address;
    bool is_all;
  };
  const auto tasks =
      static_cast<std::size_t>(std::count_if(region.items.begin(), region.items.end(), [](auto item) {
        return item == Region::Item::kTask || item == Region::Item::kUndeferred;
      }));
  Order before(tasks, std::vector<bool>(tasks, false));
  std::vector<Access> accesses;
  std::vector<bool> is_awaited(tasks, false);  // the code that comes next runs behind them
  std::vector<std::size_t> groups;
  std::size_t task = 0;
  for (std::size_t i = 0; i < region.items.size(); ++i) {
    switch (region.items[i]) {
      case Region::Item::kWait:
        for (std::size_t t = 0; t < task; ++t) is_awaited[t] = true;
        continue;
      case Region::Item::kGroupBegin:
        groups.push_back(task);
        continue;
      case Region::Item::kGroupEnd:
        for (std::size_t t = groups.back(); t < task; ++t) is_awaited[t] = true;
        groups.pop_back();
        continue;
      default:
        break;
    }
    for (std::size_t t = 0; t < task; ++t) before[task][t] = is_awaited[t];
    // Several items on one address are one access, which writes where they differ.
    std::vector<Access> own;
    for (const Dependence& d : region.dependences[i]) {
      const auto same = std::find_if(own.begin(), own.end(), [&](const Access& a) {
        return a.is_all == d.is_all_memory && a.address == d.address;
      });
      if (same == own.end())
        own.push_back({task, d.kind, d.address, d.is_all_memory});
      else if (same->kind != d.kind)
        same->kind = AccessKind::kOut;
    }
    for (const Access& mine : own) {
      bool shares = true;  // everything from there on is of my kind
      for (std::size_t a = accesses.size(); a-- > 0;) {
        const Access& other = accesses[a];
        if (!mine.is_all && !other.is_all && other.address != mine.address) continue;
        if (mine.is_all || other.is_all || other.kind != mine.kind || mine.kind == AccessKind::kOut ||
            mine.kind == AccessKind::kMutexInOutSet)
          shares = false;
        if (!shares) before[task][other.task] = true;
      }
    }
    accesses.insert(accesses.end(), own.begin(), own.end());
    // A task that is undeferred ends before the code goes on, and so does what it waited for.
    if (region.items[i] == Region::Item::kUndeferred) is_awaited[task] = true;
    ++task;
  }
  close_transitively(before);
  return before;
}

}  // namespace heddle::test
