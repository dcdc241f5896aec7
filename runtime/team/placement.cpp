#include "team/placement.hpp"

#include <algorithm>
#include <utility>

#include "icv/settings.hpp"
#include "sys/affinity.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

TopologyLevel level_of(AbstractPlace kind) {
  switch (kind) {
    case AbstractPlace::kThreads:
      return TopologyLevel::kThread;
    case AbstractPlace::kCores:
      return TopologyLevel::kCore;
    case AbstractPlace::kLastLevelCaches:
      return TopologyLevel::kLastLevelCache;
    case AbstractPlace::kNumaDomains:
      return TopologyLevel::kNumaDomain;
    case AbstractPlace::kSockets:
      return TopologyLevel::kSocket;
  }
  return TopologyLevel::kCore;
}

bool g_has_ended = false;

// What unbound threads may run on.
const ProcessorSet& initial_mask() {
  static const auto& instance = *new ProcessorSet(processors_of_process());  // never destroyed
  return instance;
}

// Processors the process may not use are dropped, and places that are left with none (OpenMP 5.2,
// section 21.1.6).
std::vector<ProcessorSet> allowed_part(const std::vector<ProcessorSet>& places) {
  std::vector<ProcessorSet> result;
  for (const ProcessorSet& place : places) {
    ProcessorSet rest;
    std::ranges::set_intersection(place, initial_mask(), std::back_inserter(rest));
    if (!rest.empty()) result.push_back(std::move(rest));
  }
  if (result.empty())
    warn("OMP_PLACES='%s' names no processor that this process may use; threads are not bound",
         settings().places_text.c_str());
  else if (result.size() < places.size())
    warn("OMP_PLACES='%s' names places without a processor that this process may use; using the other %zu",
         settings().places_text.c_str(), result.size());
  return result;
}

std::vector<ProcessorSet> read_places() {
  initial_mask();
  const Settings& s = settings();
  const bool is_asked_for =
      s.proc_bind.empty() ? s.places.has_value() : s.proc_bind.front() != ProcBind::kFalse;
  if (!is_asked_for) return {};
  if (!s.places) return processors_by(TopologyLevel::kCore);
  if (!s.places->abstract) return allowed_part(s.places->places);
  std::vector<ProcessorSet> places = processors_by(level_of(*s.places->abstract));
  if (s.places->count > 0 && places.size() > static_cast<std::size_t>(s.places->count))
    places.resize(static_cast<std::size_t>(s.places->count));
  return places;
}

// Deals `items` into `shares` as evenly as can be: the first get one more.
struct Deal {
  int items, shares;
  int size(int share) const { return items / shares + (share < items % shares ? 1 : 0); }
};

// More threads than places: runs of consecutive threads share a place; the first run gets the primary
// thread's.
std::vector<Spot> share_places(int threads, Partition partition, int primary_place, bool keeps_partition) {
  std::vector<Spot> spots;
  const Deal deal{threads, partition.count};
  const int start = primary_place - partition.first;
  for (int share = 0; share < partition.count; ++share) {
    const int place = partition.first + (start + share) % partition.count;
    const Partition own{place, 1};
    for (int i = 0; i < deal.size(share); ++i) spots.push_back({place, keeps_partition ? partition : own});
  }
  return spots;
}

std::vector<Spot> close(int threads, Partition partition, int primary_place) {
  if (threads > partition.count) return share_places(threads, partition, primary_place, true);
  std::vector<Spot> spots;
  const int start = primary_place - partition.first;
  for (int i = 0; i < threads; ++i)
    spots.push_back({partition.first + (start + i) % partition.count, partition});
  return spots;
}

std::vector<Spot> spread(int threads, Partition partition, int primary_place) {
  if (threads > partition.count) return share_places(threads, partition, primary_place, false);
  // One subpartition a thread; the primary thread's is the one that holds its place, where it stays.
  const Deal deal{partition.count, threads};
  std::vector<Partition> parts;
  int primary_part = 0;
  for (int i = 0, first = partition.first; i < threads; first += deal.size(i), ++i) {
    parts.push_back({first, deal.size(i)});
    if (primary_place >= first && primary_place < first + deal.size(i)) primary_part = i;
  }
  std::vector<Spot> spots;
  for (int i = 0; i < threads; ++i) {
    const Partition& part = parts[static_cast<std::size_t>((primary_part + i) % threads)];
    spots.push_back({i == 0 ? primary_place : part.first, part});
  }
  return spots;
}

// By processor, each level's objects numbered as the topology lists them.
std::vector<Location> locate_processors() {
  constexpr TopologyLevel kLevels[] = {TopologyLevel::kSocket, TopologyLevel::kNumaDomain,
                                       TopologyLevel::kLastLevelCache, TopologyLevel::kCore};
  std::vector<Location> result;
  for (std::size_t level = 0; level < std::size(kLevels); ++level) {
    const auto objects = processors_by(kLevels[level]);
    for (std::size_t object = 0; object < objects.size(); ++object) {
      for (const int processor : objects[object]) {
        const auto p = static_cast<std::size_t>(processor);
        if (result.size() <= p) result.resize(p + 1);
        result[p][level] = static_cast<std::int16_t>(object);
      }
    }
  }
  return result;
}

// A place of several processors counts as its first.
Location location_of(int place) {
  static const auto& processors = *new std::vector<Location>(locate_processors());  // never destroyed
  const ProcessorSet& set = place_list()[static_cast<std::size_t>(place)];
  const auto first = static_cast<std::size_t>(*set.begin());
  return first < processors.size() ? processors[first] : Location{};
}

}  // namespace

std::vector<Spot> distribute_threads(ProcBind policy, int threads, Partition partition, int primary_place) {
  if (policy == ProcBind::kPrimary)
    return std::vector<Spot>(static_cast<std::size_t>(threads), Spot{primary_place, partition});
  if (policy == ProcBind::kSpread) return spread(threads, partition, primary_place);
  return close(threads, partition, primary_place);  // also what "true" leaves to us
}

const std::vector<ProcessorSet>& place_list() {
  static const auto& instance = *new std::vector<ProcessorSet>(read_places());  // never destroyed
  return instance;
}

bool binding_is_active() {
  static const bool is_active = !place_list().empty();
  return is_active && !g_has_ended;
}

ProcBind bind_policy(int level) {
  const std::vector<ProcBind>& list = settings().proc_bind;
  if (g_has_ended) return ProcBind::kFalse;
  if (list.empty()) return binding_is_active() ? ProcBind::kTrue : ProcBind::kFalse;
  return list[std::min(static_cast<std::size_t>(level), list.size() - 1)];
}

void place_initial_thread(Member& member) {
  if (!binding_is_active()) return;
  const std::vector<ProcessorSet>& places = place_list();
  member.place = 0;
  member.partition = {0, static_cast<int>(places.size())};
  if (is_main_thread()) return go_to_place(member);
  const ProcessorSet own = processors_of_this_thread();
  if (own == initial_mask()) return;
  const auto has_own = [&own](const ProcessorSet& place) {
    return std::ranges::any_of(place,
                               [&own](int processor) { return std::ranges::binary_search(own, processor); });
  };
  if (const auto place = std::ranges::find_if(places, has_own); place != places.end())
    member.place = static_cast<int>(place - places.begin());
  member.worker->bound_to = member.place;
}

void begin_unbound(Worker& worker, bool is_ours) {
  worker.bound_to = kNoPlace;
  if (!is_ours) return;
  const ProcessorSet wanted = binding_is_active() ? initial_mask() : processors_of_process();
  if (processors_of_this_thread() != wanted) bind_this_thread(wanted);
}

void end_binding(Worker* worker) {
  if (!settings_are_read() || !binding_is_active()) return;
  g_has_ended = true;
  if (worker == nullptr || worker->bound_to == kNoPlace) return;
  if (bind_this_thread(initial_mask())) worker->bound_to = kNoPlace;
}

void place_team(Team& team, ProcBind clause) {
  const Member& outer = *team.encountering;
  ProcBind policy = bind_policy(outer.team->level);
  // A clause counts only where binding is not switched off (OpenMP 5.2, section 10.1.3).
  if (policy != ProcBind::kFalse && clause != ProcBind::kFalse) policy = clause;
  if (outer.place == kNoPlace || policy == ProcBind::kFalse) {
    for (int i = 0; i < team.size; ++i) team.members[static_cast<std::size_t>(i)].place = kNoPlace;
    team.ready.locate({});
    team.placement = {team.size, ProcBind::kFalse, kNoPlace, {}};
    return;
  }
  const Placement wanted{team.size, policy, outer.place, outer.partition};
  if (wanted == team.placement) return;
  team.placement = wanted;
  const std::vector<Spot> spots = distribute_threads(policy, team.size, outer.partition, outer.place);
  std::vector<Location> locations;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    team.members[i].place = spots[i].place;
    team.members[i].partition = spots[i].partition;
    locations.push_back(location_of(spots[i].place));
  }
  team.ready.locate(std::move(locations));
}

void go_to_place(Member& member) {
  Worker& worker = *member.worker;
  if (worker.bound_to == member.place) return;
  const bool is_bound = member.place != kNoPlace;
  if (bind_this_thread(is_bound ? place_list()[static_cast<std::size_t>(member.place)] : initial_mask()))
    worker.bound_to = member.place;
}

}  // namespace heddle
