// How a process' taskloops are executed: as tasks that create others, each half of what is left, or as ranges
// of chunks that threads share, as libheddle does (runtime/tasking/taskloop.cpp has the words).
#include <algorithm>
#include <utility>

#include "simulate/engine/process.hpp"

namespace heddle::simulate {
bool Process::begin_taskloop(SimulatedWorker& worker, const Script& script, bool is_waited_for) {
  const auto chunk = [&](const Step& step) -> const TaskText& {
    return text_.tasks[static_cast<std::size_t>(step.value)];
  };
  const bool has_ranges =
      rules_->hands_out_ranges() && !script.empty() &&
      std::ranges::all_of(script, [&](const Step& step) { return chunk(step).dependences.empty(); });
  if (!has_ranges) {
    Cursor cursor = cursor_of({&script, 0, script.size(), nullptr});
    cursor.is_undeferred = rules_->is_undeferred({worker, size_, outstanding_}, script.size());
    if (cursor.is_undeferred) cursor.is_taskloop = false;
    worker.frames.back().cursors.push_back(cursor);
    return false;
  }
  TaskloopPart whole{&script, 0, script.size(), std::make_shared<std::size_t>(1)};
  part_.kind = chunk(script.front()).kind;
  part_.is_untied = chunk(script.front()).is_untied;
  if (!is_waited_for) {
    create(worker, part_, std::move(whole));
    return true;
  }
  SimulatedTask& range = add(worker, *worker.frames.back().task, part_, std::move(whole));
  begin(worker, range, false);
  spend(worker, costs_.create_inline);
  return true;
}

Cursor Process::cursor_of(const TaskloopPart& part) {
  Cursor result{part.script, part.begin};
  result.end = part.end;
  result.is_range = part.batch != nullptr;
  result.is_taskloop = !result.is_range;
  return result;
}

void Process::halve(SimulatedWorker& worker) {
  Cursor& cursor = worker.frames.back().cursors.back();
  const std::size_t middle = cursor.at + (cursor.end - cursor.at + 1) / 2;
  TaskloopPart part{cursor.script, middle, cursor.end, nullptr};
  cursor.end = middle;
  part_.kind = text_.tasks[static_cast<std::size_t>((*part.script)[middle].value)].kind;
  part_.is_untied = false;
  create(worker, part_, std::move(part));
}

bool Process::run_range(SimulatedWorker& worker) {
  Frame& frame = worker.frames.back();
  Cursor& cursor = frame.cursors.back();
  SimulatedTask& task = *frame.task;
  const bool begins = !frame.batch;
  if (begins) {
    frame.batch.emplace(cursor.at, *task.part.batch);
  } else if ((task.children > 0 || task.table != nullptr) && cursor.at < cursor.end) {
    // A chunk that leaves children is the last of its task.
    spend(worker, hand_on_rest(worker));
    return true;
  }
  double cost = costs_.taskloop_chunk;
  if (begins || cursor.at == frame.next_look || cursor.at == cursor.end) {
    if (!begins) frame.batch->look(cursor.at);
    if (cursor.at == cursor.end) {
      *task.part.batch = frame.batch->better_guess();
      return false;
    }
    if (size_ > 1 && cursor.end - cursor.at > frame.batch->size()) {
      const std::size_t rest = cursor.at + frame.batch->size();
      cost += offer(worker, rest, std::exchange(cursor.end, rest));
    }
    frame.next_look = frame.batch->next_look(cursor.end);
  }
  const Step step = (*cursor.script)[cursor.at++];
  ++outcome_.tasks;
  frame.cursors.push_back({&text_.tasks[static_cast<std::size_t>(step.value)].script});
  spend(worker, cost);
  return true;
}

double Process::hand_on_rest(SimulatedWorker& worker) {
  Cursor& cursor = worker.frames.back().cursors.front();
  return hand_on(worker, cursor.at, std::exchange(cursor.end, cursor.at));
}

double Process::hand_on(SimulatedWorker& worker, std::size_t begin, std::size_t end) {
  SimulatedTask& range = *worker.frames.back().task;
  SimulatedTask& rest =
      add(worker, *range.parent, *range.text, {range.part.script, begin, end, range.part.batch});
  return costs_.create + make_ready(worker, rest.task);
}

double Process::offer(SimulatedWorker& worker, std::size_t begin, std::size_t end) {
  double cost = 0;
  if (end - begin > 1 && !rules_->has_queued(worker)) {
    const std::size_t middle = begin + (end - begin) / 2;
    cost = hand_on(worker, middle, end);
    end = middle;
  }
  return cost + hand_on(worker, begin, end);
}

}  // namespace heddle::simulate
