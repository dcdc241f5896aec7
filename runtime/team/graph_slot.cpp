#include "team/graph_slot.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "graph/graph_log.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "team/settings.hpp"

namespace heddle {
namespace {

// A function that is called from everywhere has as many frames; each keeps a graph.
constexpr int kMostSlots = 1024;

// For HEDDLE_GRAPH_LOG: records are written when they are dropped, the others at the program's end.
class LoggedSlots {
 public:
  void add(GraphSlot& slot) {
    const std::lock_guard lock(mutex_);
    slots_.push_back(&slot);
  }
  void remove(const GraphSlot& slot) {
    const std::lock_guard lock(mutex_);
    std::erase(slots_, &slot);
  }
  // Nobody writes the record while it leaves the slot.
  std::unique_ptr<Record> write_and_take(GraphSlot& slot) {
    const std::lock_guard lock(mutex_);
    if (process_id() == process_) write_locked(slot);
    return slot.take_record();
  }
  void write_all() {
    if (process_id() != process_) return;  // a child has what its parent has recorded, and no thread of it
    const std::lock_guard lock(mutex_);
    for (const GraphSlot* const slot : slots_) {
      const bool is_changing = slot->state.load(std::memory_order_acquire) == GraphSlot::State::kBusy &&
                               slot->in_flight == nullptr;
      if (!is_changing && slot->record != nullptr) write_locked(*slot);
    }
  }

 private:
  void write_locked(const GraphSlot& slot) { log_.write(*slot.record->graph(), slot.id, slot.executions); }

  const long process_ = process_id();
  std::mutex mutex_;
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

GraphSlot* find_slot(GraphConstruct& construct, std::uint64_t id, const void* frame, std::uint64_t regions) {
  // acquire: pairs with the release below
  GraphSlot* const first = construct.slots.load(std::memory_order_acquire);
  int slots = 0;
  for (GraphSlot* slot = first; slot != nullptr; slot = slot->next, ++slots)
    if (slot->id == id && slot->frame == frame && slot->regions == regions) return slot;
  if (slots >= kMostSlots) {
    if (settings().logs_graphs)
      notice("graph %llu: executed plainly: its construct has %d graphs, no more",
             static_cast<unsigned long long>(id), kMostSlots);
    return nullptr;
  }
  auto* const fresh = new GraphSlot(id, frame, regions);
  // Another thread may make one for the same frame only if it has the same stack: it cannot.
  fresh->next = first;
  while (!construct.slots.compare_exchange_weak(fresh->next, fresh, std::memory_order_release,
                                                std::memory_order_relaxed))
    continue;
  fresh->add_to_log();
  return fresh;
}

void reset_slots(GraphConstruct& construct, std::uint64_t id) {
  for (GraphSlot* slot = construct.slots.load(std::memory_order_acquire); slot != nullptr; slot = slot->next)
    if (slot->id == id) slot->is_reset.store(true, std::memory_order_relaxed);
}

void GraphSlot::add_to_log() {
  if (is_logged()) logged_slots().add(*this);
}

void GraphSlot::remove_from_log() {
  if (is_logged()) logged_slots().remove(*this);
}

void GraphSlot::keep(std::unique_ptr<Record> recorded, Bundles bundles, std::uint64_t times,
                     std::int64_t plain_ns) {
  if (is_logged()) recorded->measure(bundles);
  record = std::move(recorded);
  flight.emplace(*record, plain_ns);
  executions.fetch_add(times, std::memory_order_relaxed);
  ++unused_records;
  has_logged_graph = false;
  log("recorded %zu tasks", record->tasks());
}

void GraphSlot::forget() {
  if (record != nullptr) {
    log("reset");
    early_resets = executions.load(std::memory_order_relaxed) <= kFewExecutions ? early_resets + 1 : 0;
    const std::unique_ptr<Record> dropped =
        is_logged() ? logged_slots().write_and_take(*this) : take_record();
    spare_notes = dropped->take_notes();
    if (spare_notes != nullptr) spare_notes->clear();
  }
  executions.store(0, std::memory_order_relaxed);
}

std::unique_ptr<Record> GraphSlot::take_record() {
  flight.reset();
  return std::move(record);
}

std::unique_ptr<Notes> GraphSlot::new_notes() {
  return spare_notes != nullptr ? std::move(spare_notes) : std::make_unique<Notes>();
}

void GraphSlot::give_back(State now) {
  in_flight = nullptr;
  state.store(now, std::memory_order_release);
}

void GraphSlot::log_graph() {
  const Graph* const graph = record->graph();
  if (has_logged_graph || graph == nullptr || !settings().logs_graphs) [[likely]]
    return;
  has_logged_graph = true;
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
  if (frame == nullptr) return notice("ready-made graph from %p: %s", where, text);
  notice("graph %llu of frame %p: %s", static_cast<unsigned long long>(id), frame, text);
}

}  // namespace heddle
