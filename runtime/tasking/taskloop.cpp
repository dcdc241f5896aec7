#include "tasking/taskloop.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "sched/chunk_batch.hpp"
#include "sched/limits.hpp"
#include "sync/oversubscription.hpp"
#include "sys/processor.hpp"
#include "tasking/children.hpp"
#include "tasking/create.hpp"
#include "tasking/undeferred.hpp"

namespace heddle {

namespace {

// Behind the ABI's payload of a range's task.
struct Range {
  Taskloop* loop;
  std::uint64_t first, last;
};

Range& range_of(Task& task) {
  return *static_cast<Range*>(task.as<RangeTask>().range);
}

void leave(Member& me, Taskloop& loop) {
  if (loop.release != nullptr && loop.users.release_one()) loop.release(me, loop);
}

void run_range(Task& task);

Task& new_range(Member& me, Taskloop& loop, std::uint64_t first, std::uint64_t last) {
  const std::size_t at = (loop.payload_bytes + alignof(Range) - 1) / alignof(Range) * alignof(Range);
  Task& task = new_task(me, at + sizeof(Range), loop.flags);
  task.body = run_range;
  task.as<RangeTask>() = {new (static_cast<char*>(task.payload()) + at) Range{&loop, first, last}, nullptr};
  task.priority = loop.priority;
  if (loop.release != nullptr) loop.users.add_one();
  return task;
}

// Leaves chunks [first, last) of the current range to the thread that comes first.
void publish(Member& me, Taskloop& loop, std::uint64_t first, std::uint64_t last) {
  submit_sibling(me, new_range(me, loop, first, last));
}

// The same where the current range goes on meanwhile. A thief gets the second half of the rest, if nothing
// else is there to steal; the first is probably taken by this member, as the youngest of its own.
void offer(Member& me, Taskloop& loop, std::uint64_t first, std::uint64_t last) {
  if (last - first > 1 && !me.team->ready.holds(me.number, 1)) {
    const std::uint64_t middle = first + (last - first) / 2;
    publish(me, loop, middle, last);
    last = middle;
  }
  publish(me, loop, first, last);
}

// Members of a team that oversubscribes the machine are asleep, or stand in line for a processor, perhaps
// this one; a loop of some microseconds would be over before they come. Once a region it waits for the first
// as long as a wake-up takes, unless there were other tasks for them before.
void let_others_come(Member& me) {
  Team& team = *me.team;
  if (team.ready.holds(me.number, limits::kOffered + 1)) return;
  const RegionOpening<>::Seen region = team.opening.last();
  if (team.let_others_come.exchange(region) == region) return;
  const std::uint64_t end = ticks() + limits::kWakeUpUs * ticks_per_us();
  while (team.ready.holds(me.number, limits::kOffered) && ticks() < end) yield_cpu();
}

void publish_chunks_of(Member& me) {
  PrivateChunks& chunks = *me.context.chunks;
  if (me.context.task != &chunks.task || chunks.next >= chunks.last) return;
  const std::uint64_t last = std::exchange(chunks.last, chunks.next);
  TaskGroup* const group = std::exchange(chunks.task.group, chunks.group);
  const DataEnvironment* const environment = std::exchange(chunks.task.environment, chunks.environment);
  publish(me, chunks.loop, chunks.next, last);
  chunks.task.group = group;
  chunks.task.environment = environment;
}

// While it exists the member keeps chunks of a range that no queue knows.
class KeepsPrivate {
 public:
  KeepsPrivate(Member& me, Taskloop& loop, Task& task, std::uint64_t last)
      : chunks_{{0, last}, loop, task, &publish_chunks_of}, pushed_(me.context.chunks, &chunks_) {}

  void set_last(std::uint64_t last) { chunks_.last = last; }
  std::uint64_t last() const { return chunks_.last; }

 private:
  PrivateChunks chunks_;
  Pushed<PrivateChunks*> pushed_;
};

// Executes a batch of the range, whose others it publishes.
void run_batch(Member& me, Taskloop& loop, Task& task, std::uint64_t first, std::uint64_t last) {
  KeepsPrivate chunks(me, loop, task, last);
  const std::uint64_t guess = loop.batch.load();
  ChunkBatch<TickClock> batch(first, guess);
  for (std::uint64_t next = first;;) {
    if (last - next > batch.size()) {
      offer(me, loop, next + batch.size(), last);
      last = next + batch.size();
      chunks.set_last(last);
      if (next == 0 && g_oversubscription.holds()) [[unlikely]]
        let_others_come(me);
    }
    const std::uint64_t stop = batch.next_look(last);
    next = loop.run(me, loop, task, next, stop);
    last = chunks.last();
    batch.look(next);
    if (next == last || is_discarded(*me.team, task)) break;
    if (next < std::min(stop, last) || !task.is_plain()) {
      publish(me, loop, next, last);
      break;
    }
  }
  if (const std::uint64_t better = batch.better_guess(); better != guess) loop.batch.store(better);
}

void run_chunks_of_range(Member& me, Taskloop& loop, Task& task, std::uint64_t first, std::uint64_t last) {
  loop.prepare(loop, task);
  if (me.team_size > 1) return run_batch(me, loop, task, first, last);
  KeepsPrivate chunks(me, loop, task, last);
  const std::uint64_t reached = loop.run(me, loop, task, first, last);
  last = chunks.last();
  if (reached < last && !is_discarded(*me.team, task)) publish(me, loop, reached, last);
}

void run_range(Task& task) {
  Member& me = this_member();
  const Range range = range_of(task);
  Taskloop& loop = *range.loop;
  if ((task.flags & Task::kDiscarded) == 0) run_chunks_of_range(me, loop, task, range.first, range.last);
  leave(me, loop);
}

void run_undeferred(Member& me, Taskloop& loop) {
  for (std::uint64_t next = 0; next < loop.chunks;) {
    Task& task = new_range(me, loop, next, loop.chunks);
    begin_undeferred(me, task, {});
    loop.prepare(loop, task);
    next = loop.run(me, loop, task, next, loop.chunks);
    if (next < loop.chunks && is_discarded(*me.team, task)) next = loop.chunks;
    leave(me, loop);
    end_undeferred(me, task);
  }
}

}  // namespace

void start_taskloop(Member& me, Taskloop& loop, TaskloopStart start) {
  if (start == TaskloopStart::kUndeferred) {
    run_undeferred(me, loop);
  } else if (loop.chunks > 0) {
    Task& task = new_range(me, loop, 0, loop.chunks);
    if (start == TaskloopStart::kHere) {
      begin_undeferred(me, task, {});
      run_range(task);
      end_undeferred(me, task);
    } else {
      submit(me, task, {});
    }
  }
  leave(me, loop);
}

void share_taskloop(Member& me, Taskloop& loop) {
  run_chunks_of_range(me, loop, *me.context.task, 0, loop.chunks);
  leave(me, loop);
}

bool renew_chunk_task(Member& me, Task& task) {
  forget_dependences(me, task);
  return task.become_plain();
}

}  // namespace heddle
