#include "replay/graph_table.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "graph/graph_log.hpp"
#include "icv/settings.hpp"
#include "sched/limits.hpp"
#include "suspend/suspension.hpp"
#include "sync/futex_lock.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {

namespace {

// Of all slots, now and ever.
constinit RelaxedAtomic<std::size_t> g_bytes{0};
constinit RelaxedAtomic<std::uint64_t> g_bytes_ever{0};

// For HEDDLE_GRAPH_LOG: records are written when they are dropped, the others at the program's end.
class LoggedSlots {
 public:
  void add(GraphSlot& slot) {
    const std::lock_guard guard(lock_);
    slots_.push_back(&slot);
  }
  void remove(const GraphSlot& slot) {
    const std::lock_guard guard(lock_);
    std::erase(slots_, &slot);
  }
  // Nobody writes the record while it leaves the slot.
  std::unique_ptr<Record> write_and_take(GraphSlot& slot) {
    const std::lock_guard guard(lock_);
    if (process_id() == process_) write_locked(slot);
    return slot.take_record();
  }
  void write_all() {
    if (process_id() != process_) return;  // a child has what its parent has recorded, and no thread of it
    const std::lock_guard guard(lock_);
    for (const GraphSlot* const slot : slots_) {
      if (!slot->access.is_busy() && slot->record != nullptr) write_locked(*slot);
    }
  }

 private:
  void write_locked(const GraphSlot& slot) {
    log_.write(*slot.record->graph(), slot.key.id, slot.executions.load());
  }

  const long process_ = process_id();
  FutexLock lock_;
  GraphLog log_{settings().graph_log};
  std::vector<const GraphSlot*> slots_;
};

LoggedSlots& logged_slots() {
  static LoggedSlots& logged = *[] {
    std::atexit([] { logged_slots().write_all(); });
    return new LoggedSlots;  // other threads may use it while the program ends
  }();
  return logged;
}

bool is_logged() {
  return !settings().graph_log.empty();
}

}  // namespace

std::size_t bytes_of_graphs() {
  return g_bytes.load();
}

std::uint64_t bytes_ever_of_graphs() {
  return g_bytes_ever.load();
}

GraphSlot::~GraphSlot() {
  g_bytes.fetch_sub(counted_bytes_);
}

void GraphSlot::count_bytes() {
  std::size_t bytes = sizeof *this;
  if (record != nullptr) bytes += record->bytes();
  if (spare_log != nullptr) bytes += spare_log->bytes();
  g_bytes.fetch_add(bytes - counted_bytes_);
  if (bytes > counted_bytes_) g_bytes_ever.fetch_add(bytes - counted_bytes_);
  counted_bytes_ = bytes;
}

void GraphSlot::add_to_log() {
  if (is_logged()) logged_slots().add(*this);
}

void GraphSlot::remove_from_log() {
  if (is_logged()) logged_slots().remove(*this);
}

void GraphSlot::keep(std::unique_ptr<Record> recorded, Bundles bundles, std::uint64_t times,
                     std::int64_t plain_ns) {
  look_for_suspending_functions();  // by its next execution it matters, and code may have been loaded since
  if (is_logged()) recorded->measure(bundles);
  record = std::move(recorded);
  pipeline.emplace(*record, plain_ns);
  executions.fetch_add(times);
  ++unused_records;
  has_logged_graph = false;
  log("recorded %zu tasks", record->tasks());
  count_bytes();
}

std::unique_ptr<Record> GraphSlot::drop_record() {
  return is_logged() ? logged_slots().write_and_take(*this) : take_record();
}

void GraphSlot::forget() {
  if (record != nullptr) {
    log("reset");
    early_resets = executions.load() <= limits::kFewExecutions ? early_resets + 1 : 0;
    const std::unique_ptr<Record> dropped = drop_record();
    spare_log = dropped->take_log();
    if (spare_log != nullptr) spare_log->clear();
  }
  executions.store(0);
  count_bytes();
}

void GraphSlot::evict(std::size_t most) {
  if (record != nullptr) {
    log("dropped: the records take more than %zu MiB (HEDDLE_GRAPH_MEMORY), and it was met longest ago",
        most >> 20);
    drop_record();
  }
  remove_from_log();
}

std::unique_ptr<Record> GraphSlot::take_record() {
  pipeline.reset();
  return std::move(record);
}

std::unique_ptr<TaskLog> GraphSlot::new_log() {
  return spare_log != nullptr ? std::move(spare_log) : std::make_unique<TaskLog>();
}

const char* GraphSlot::claim() {
  switch (access.claim()) {
    case GraphClaim<>::Answer::kClaimed:
      break;
    case GraphClaim<>::Answer::kTaken:
      return "another encounter is in it";
    case GraphClaim<>::Answer::kRefused:
      return "not replayable";
  }
  return nullptr;
}

GraphSlot::Choice GraphSlot::choose(const Member& me) {
  using What = Choice::What;
  const bool resets = access.take_reset();  // by this encounter or by another
  if (resets) forget();
  if (record == nullptr) {
    if (is_worth_a_record()) return {What::kRecord};
    return {What::kPlain, "its last records were reset before they were replayed"};
  }
  if (settings().checks_graphs && record->task_log() != nullptr) [[unlikely]]
    return {What::kCheck};
  if (pipeline->needs_graph(me) && !is_worth_a_graph())
    return {What::kPlain, "its last records were reset too early to be worth a graph"};
  return {What::kReplay};
}

void GraphSlot::leave_pipelined(const Task& by) {
  pipelined_by.store(&by);
  access.give_back(State::kPipelined);
}

void GraphSlot::give_back(State now) {
  pipelined_by.store(nullptr);
  access.give_back(now);
  access.unpin();
}

void GraphSlot::log_graph() {
  const Graph* const graph = record->graph();
  if (has_logged_graph || graph == nullptr) [[likely]]
    return;
  has_logged_graph = true;
  count_bytes();
  log("%zu tasks in %zu segments, %zu of them roots, %zu edges between them", graph->tasks(),
      graph->segments().size(), graph->roots().size(), graph->edges());
  if (record->overlaps() && !graph->overlaps())
    log("its executions follow one another: it waits within, or each waits for most of the one before");
}

void GraphSlot::log(const char* format, ...) const {
  if (!settings().logs_graphs) [[likely]]
    return;
  char text[160];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (key.frame == nullptr) return notice("ready-made graph from %p: %s", where, text);
  notice("graph %llu of frame %p: %s", static_cast<unsigned long long>(key.id), key.frame, text);
}

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
  GraphTable* table = construct.table.seen();
  if (table != nullptr) [[likely]]
    return *table;
  Tables& known = tables();
  const std::lock_guard guard(known.lock);
  table = construct.table;
  if (table == nullptr) {
    table = known.all.emplace_back(new GraphTable);
    construct.table = table;
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
    table->for_each_unpinned(
        [&](const GraphSlot& slot) { candidates.push_back({slot.met_at.load(), table, slot.key}); });
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
  slot->access.pin();
  slot->met_at.store(bytes_ever_of_graphs());
  return *slot;
}

void GraphTable::reset(std::uint64_t id) {
  for (Stripe& stripe : stripes_) {
    const std::lock_guard guard(stripe.lock);
    for (auto& [key, slot] : stripe.slots)
      if (key.id == id) slot->access.reset();
  }
}

template <class Visit>
void GraphTable::for_each_unpinned(Visit&& visit) {
  for (Stripe& stripe : stripes_) {
    const std::lock_guard guard(stripe.lock);
    for (auto& [key, slot] : stripe.slots)
      if (!slot->access.is_pinned()) visit(*slot);
  }
}

std::unique_ptr<GraphSlot> GraphTable::take_unpinned(const GraphKey& key) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard guard(stripe.lock);
  const auto at = stripe.slots.find(key);
  if (at == stripe.slots.end() || at->second->access.is_pinned()) return nullptr;
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
  if (GraphTable* const table = construct.table.seen()) table->reset(id);
}

}  // namespace heddle
