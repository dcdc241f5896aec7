#include "replay/graph_table.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "icv/settings.hpp"

namespace heddle {
namespace {

// All tables of the process: constructs may be in libraries that come and go, their tables stay.
struct Tables {
  ProcessLock lock{ProcessLock::Order::kOuter};
  std::vector<GraphTable*> all;
};

Tables& tables() {
  static Tables& instance = *new Tables;
  return instance;
}

GraphTable& table_of(GraphConstruct& construct) {
  GraphTable* table =
      construct.table.load(std::memory_order_acquire);  // acquire: pairs with the release below
  if (table != nullptr) [[likely]]
    return *table;
  Tables& known = tables();
  const std::lock_guard guard(known.lock);
  table = construct.table.load(std::memory_order_relaxed);
  if (table == nullptr) {
    table = known.all.emplace_back(new GraphTable);
    construct.table.store(table, std::memory_order_release);
  }
  return *table;
}

// Evicts down to so many eighths of what may be, so that not every record that comes evicts another.
constexpr std::size_t kKeptEighths = 7;

[[gnu::cold]] void evict_oldest(std::size_t most) {
  struct Candidate {
    std::uint64_t met_at;
    GraphTable* table;
    GraphKey key;
  };
  Tables& known = tables();
  const std::unique_lock guard(known.lock, std::try_to_lock);
  if (!guard.owns_lock()) return;  // somebody does it already
  std::vector<Candidate> candidates;
  for (GraphTable* const table : known.all)
    table->for_each_unpinned([&](const GraphSlot& slot) {
      candidates.push_back({slot.met_at.load(std::memory_order_relaxed), table, slot.key});
    });
  std::ranges::sort(candidates, {}, &Candidate::met_at);
  for (const Candidate& oldest : candidates) {
    if (bytes_of_graphs() <= most / 8 * kKeptEighths) return;
    if (const std::unique_ptr<GraphSlot> slot = oldest.table->take_unpinned(oldest.key)) slot->evict(most);
  }
}

}  // namespace

GraphSlot& GraphTable::pin(const GraphKey& key) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard guard(stripe.lock);
  std::unique_ptr<GraphSlot>& slot = stripe.slots[key];
  if (slot == nullptr) {
    slot = std::make_unique<GraphSlot>(key);
    slot->add_to_log();
  }
  slot->pins.fetch_add(1, std::memory_order_relaxed);
  slot->met_at.store(bytes_ever_of_graphs(), std::memory_order_relaxed);
  return *slot;
}

void GraphTable::reset(std::uint64_t id) {
  for (Stripe& stripe : stripes_) {
    const std::lock_guard guard(stripe.lock);
    for (auto& [key, slot] : stripe.slots)
      if (key.id == id) slot->is_reset.store(true, std::memory_order_relaxed);
  }
}

template <class Visit>
void GraphTable::for_each_unpinned(Visit&& visit) {
  for (Stripe& stripe : stripes_) {
    const std::lock_guard guard(stripe.lock);
    for (auto& [key, slot] : stripe.slots)
      if (slot->pins.load(std::memory_order_relaxed) == 0) visit(*slot);
  }
}

std::unique_ptr<GraphSlot> GraphTable::take_unpinned(const GraphKey& key) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard guard(stripe.lock);
  const auto at = stripe.slots.find(key);
  // acquire: pairs with the release in GraphSlot::unpin()
  if (at == stripe.slots.end() || at->second->pins.load(std::memory_order_acquire) != 0) return nullptr;
  std::unique_ptr<GraphSlot> taken = std::move(at->second);
  stripe.slots.erase(at);
  return taken;
}

GraphSlot& pin_slot(GraphConstruct& construct, const GraphKey& key) {
  const std::size_t most = settings().graph_bytes;
  if (bytes_of_graphs() > most) [[unlikely]]
    evict_oldest(most);
  return table_of(construct).pin(key);
}

void reset_slots(GraphConstruct& construct, std::uint64_t id) {
  if (GraphTable* const table = construct.table.load(std::memory_order_acquire)) table->reset(id);
}

}  // namespace heddle
