#include "suspend/continuation.hpp"

#include <utility>

#include "base/growing_list.hpp"
#include "sys/fatal.hpp"
#include "team/recorder.hpp"

namespace heddle {
namespace {

// Events in pieces of memory that never go. Only a search for leaks goes through them.
struct ContinuationChunk {
  static constexpr int kEvents = 64;
  ContinuationEvent events[kEvents];
  ContinuationChunk* older = nullptr;
};
constinit GrowingList<ContinuationChunk> g_chunks;

[[gnu::cold]] void make_events(Worker& worker) {
  auto* const chunk = new ContinuationChunk;
  for (ContinuationEvent& event : chunk->events) event.next = std::exchange(worker.free_events, &event);
  g_chunks.add(*chunk);
}

}  // namespace

void* new_continuation_event(Member& me, const void* made_at) {
  expect_suspension();
  Worker& worker = *me.worker;
  if (worker.free_events == nullptr) make_events(worker);
  ContinuationEvent& event = *worker.free_events;
  worker.free_events = event.next;
  event.task = me.context.task;
  event.made_at = made_at;
  event.word.open();
  return event.handle();
}

void wait_for_continuation(Member& me, void* handle) {
  if (!ContinuationEvent::is_handle(handle))
    fatal(
        "omp_taskwait_detach: this is no event of omp_task_continuation_event(); one of a task's detach "
        "clause "
        "is waited for where its task is, with taskwait");
  ContinuationEvent& event = ContinuationEvent::of_handle(handle);
  if (!event.word.is_open(ContinuationEvent::life_of(handle)))
    fatal(
        "omp_taskwait_detach: this event was waited for already; ask omp_task_continuation_event() for "
        "another");
  if (is_recording(me)) [[unlikely]]
    recorder().refuse(me, "its code waits for an event");
  if (!event.word.is_fulfilled()) {
    Suspension self(me, WaitsFor::kEvent, &event);
    switch (event.word.begin_wait(self)) {
      case EventWord<Suspension>::Wait::kTaken:
        fatal("omp_taskwait_detach: another task waits for this event; let each have its own");
      case EventWord<Suspension>::Wait::kWaits:
        suspend(self);
        break;
      case EventWord<Suspension>::Wait::kFulfilled:
        break;
    }
  }
  event.word.close();
  event.task = nullptr;
  event.next = std::exchange(me.worker->free_events, &event);
}

void fulfill_continuation(void* handle) {
  Suspension* waiter = nullptr;
  if (!ContinuationEvent::of_handle(handle).word.fulfill(ContinuationEvent::life_of(handle), &waiter))
    fatal("omp_fulfill_event: this event is fulfilled already; fulfil it once");
  if (waiter != nullptr) resume(*waiter);
}

}  // namespace heddle
