#include "report/task_list.hpp"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "fiber/stack_pool.hpp"
#include "report/report_places.hpp"
#include "team/suspended.hpp"
#include "team/team.hpp"
#include "team/workers.hpp"

namespace heddle {
namespace {

const char* words_of(WaitsFor reason) {
  switch (reason) {
    case WaitsFor::kEvent:
      return "an event";
    case WaitsFor::kTurn:
      return "its turn";
    case WaitsFor::kTime:
      return "a time";
    case WaitsFor::kChildren:
      return "its child tasks";
    case WaitsFor::kGroup:
      return "the end of its taskgroup";
    case WaitsFor::kPredecessors:
      return "tasks that its depend clause names";
    case WaitsFor::kLock:
      return "a lock";
    case WaitsFor::kUnblock:
      return "a library to unblock it";
    case WaitsFor::kEventsOfLibrary:
      return "events of a library";
    case WaitsFor::kBarrier:
      return "a barrier";
    case WaitsFor::kDetachEvent:
      return "the event of its child's detach clause";
  }
  return "something";
}

std::string address(const void* pointer) {
  char text[2 + 2 * sizeof pointer + 1];
  std::snprintf(text, sizeof text, "0x%" PRIxPTR, reinterpret_cast<std::uintptr_t>(pointer));
  return text;
}

std::string name_of(const Task& task) {
  if (!task.is_implicit()) return {};
  const Member& place = *implicit(task).place;
  return place.team->level == 0 ? "the program outside parallel regions"
                                : "the implicit task of thread " + std::to_string(place.number);
}

std::string begin_of_line(const char* state, const Task& task) {
  const void* const code = task.is_implicit() ? nullptr : code_of(task);
  return state + std::string("\t") + address(&task) + "\t" + address(code) + "\t" + name_of(task) + "\t";
}

std::string line_of(const Suspension& suspension) {
  if (suspension.context.task == nullptr || !suspension.has_left()) return {};
  return begin_of_line("suspended", *suspension.context.task) + address(suspension.left_at.point) + "\t" +
         words_of(suspension.reason) + "\n";
}

}  // namespace

std::string list_tasks() {
  std::string text;
  for_each_place([&](const Member& place) {
    const bool is_innermost = place.worker != nullptr && place.worker->member == &place;
    if (!is_innermost || place.number >= place.team_size || place.context.task == nullptr) return;
    const long thread = place.worker->native_id.load();
    text += begin_of_line("executed", *place.context.task) + std::to_string(thread) + "\n";
  });
  for_each_place([&](const Member& place) {
    if (const auto* const left = place.suspended.on_own_stack.seen()) text += line_of(*left);
  });
  visit_sleepers(
      [&](const FiberStack&, void* sleeper) { text += line_of(*static_cast<Suspension*>(sleeper)); });
  return text;
}

}  // namespace heddle
