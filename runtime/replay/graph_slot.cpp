#include "replay/graph_slot.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "graph/graph_log.hpp"
#include "icv/settings.hpp"
#include "suspend/suspension.hpp"
#include "sync/futex_lock.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

// Of all slots, now and ever.
constinit std::atomic<std::size_t> g_bytes{0};
constinit std::atomic<std::uint64_t> g_bytes_ever{0};

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
      const bool is_changing = slot->state.load(std::memory_order_acquire) == GraphSlot::State::kBusy &&
                               slot->pipelined_by == nullptr;
      if (!is_changing && slot->record != nullptr) write_locked(*slot);
    }
  }

 private:
  void write_locked(const GraphSlot& slot) {
    log_.write(*slot.record->graph(), slot.key.id, slot.executions);
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
  return g_bytes.load(std::memory_order_relaxed);
}

std::uint64_t bytes_ever_of_graphs() {
  return g_bytes_ever.load(std::memory_order_relaxed);
}

GraphSlot::~GraphSlot() {
  g_bytes.fetch_sub(counted_bytes_, std::memory_order_relaxed);
}

void GraphSlot::count_bytes() {
  std::size_t bytes = sizeof *this;
  if (record != nullptr) bytes += record->bytes();
  if (spare_log != nullptr) bytes += spare_log->bytes();
  g_bytes.fetch_add(bytes - counted_bytes_, std::memory_order_relaxed);
  if (bytes > counted_bytes_) g_bytes_ever.fetch_add(bytes - counted_bytes_, std::memory_order_relaxed);
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
  executions.fetch_add(times, std::memory_order_relaxed);
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
    early_resets = executions.load(std::memory_order_relaxed) <= kFewExecutions ? early_resets + 1 : 0;
    const std::unique_ptr<Record> dropped = drop_record();
    spare_log = dropped->take_log();
    if (spare_log != nullptr) spare_log->clear();
  }
  executions.store(0, std::memory_order_relaxed);
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

void GraphSlot::give_back(State now) {
  pipelined_by = nullptr;
  state.store(now, std::memory_order_release);
  unpin();
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

}  // namespace heddle
