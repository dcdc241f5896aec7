#include "tasking/transparent.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "deps/dependence_table.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"

namespace heddle {
namespace {

using Waiting = DependenceTable::Waiting;

constexpr Dependence kOnAll{nullptr, AccessKind::kOut, true};

struct Relays {
  Dependence dependence;
  Task* import;  // null: there is none
  Task* export_;
};

/// What a transparent task is, from its request to its end.
struct TransparentTask {
  Transparency how;
  Task::Body body = nullptr;  // of a deferred one: what the compiler made of it
  std::vector<Relays> relays{};
  bool has_begun = false;
};

struct TransparentExtension {
  TaskExtension extension;
  TransparentTask* own;  // it is the task's, until that ends
};

TransparentTask*& own_of(const Task& task) {
  TaskExtension* extension = task.extensions;
  while (extension->kind != TaskExtension::Kind::kTransparent) extension = extension->next;
  return reinterpret_cast<TransparentExtension*>(extension)->own;
}

// No task of its own excludes others: those of its children that would, do so among themselves.
Dependence without_exclusion(Dependence dependence) {
  if (dependence.kind == AccessKind::kMutexInOutSet) dependence.kind = AccessKind::kOut;
  return dependence;
}

// An item for each address. Where items with one address differ in their kinds, it is written.
std::vector<Dependence> one_for_each_address(std::span<const Dependence> dependences) {
  std::vector<Dependence> items;
  for (const Dependence& dependence : dependences) {
    if (dependence.is_all_memory) return {kOnAll};
    if (dependence.address != nullptr) items.push_back(without_exclusion(dependence));
  }
  std::sort(items.begin(), items.end(),
            [](const Dependence& a, const Dependence& b) { return a.address < b.address; });
  auto end = items.begin();
  for (const Dependence& item : items) {
    if (end == items.begin() || end[-1].address != item.address)
      *end++ = item;
    else if (end[-1].kind != item.kind)
      end[-1].kind = AccessKind::kOut;
  }
  items.erase(end, items.end());
  return items;
}

Task& new_relay(Member& me, Task& parent) {
  Task& relay = *new (me.cache->allocate(sizeof(Task)))
                    Task(parent, me.cache, std::uint32_t{sizeof(Task)}, Task::kUndeferred);
  relay.kind = Task::kRelay;
  relay.body = [](Task&) {};
  relay.created_by(me.number);
  relay.as<Waiting>() = {};
  return relay;
}

// Between the siblings before the task and its children; null where nothing of those is left to wait for.
Task* make_import(Member& me, DependenceTable& siblings, Task& task, const Dependence& dependence) {
  Task& relay = new_relay(me, task);
  const std::uint32_t predecessors = siblings.add_waiting_only(relay, std::span(&dependence, 1), *me.cache);
  if (predecessors == 0) {
    me.cache->release(&relay, relay.bytes, *me.cache);
    return nullptr;
  }
  task.child_created();
  count_created(me, group_of(relay), 1);
  relay.add_table_reference();  // of the task's own table, which it does not have yet
  if (arm(relay, predecessors)) {
    Completion where{*me.team, *me.cache, &me};
    complete_relay(where, relay);  // it has no successors yet
    announce_completions(me);      // the task may wait for it
  }
  return &relay;
}

// It is armed when the body has returned.
Task& make_export(Member& me, DependenceTable& siblings, const Dependence& dependence) {
  Task& relay = new_relay(me, *me.context.task);
  me.context.task->child_created();
  count_created(me, group_of(relay), 1);
  relay.pending.reset(DependenceTable::kGuard);
  siblings.add_export(relay, dependence, *me.cache, relay.as<Waiting>());
  return relay;
}

// Body of a deferred one. Its thread may be another one when the program's code returns.
[[gnu::noinline]] void end_deferred(Task& task) {
  end_transparent(this_member(), task);
}
void run_transparent(Task& task) {
  begin_transparent(this_member(), task);
  own_of(task)->body(task);
  if ((task.flags & Task::kHasMoreParts) == 0) end_deferred(task);
}

}  // namespace

void make_transparent(Member& me, Task& task, Transparency how) {
  constexpr std::size_t kBytes = sizeof(TransparentExtension) - sizeof(TaskExtension);
  auto& extension = reinterpret_cast<TransparentExtension&>(extend(task, kBytes, *me.cache));
  extension.extension.kind = TaskExtension::Kind::kTransparent;
  extension.own = new TransparentTask{.how = std::move(how)};
  std::sort(extension.own->how.weak.begin(), extension.own->how.weak.end());
  task.kind = Task::kTransparent;
}

bool register_transparent(Member& me, Task& task, std::span<const Dependence> dependences) {
  TransparentTask& own = *own_of(task);
  if (!task.is_undeferred()) own.body = std::exchange(task.body, run_transparent);
  DependenceTable& siblings = table_of(me, *me.context.task);
  const auto is_weak = [&how = own.how](const Dependence& item) {
    return how.is_weak || std::binary_search(how.weak.begin(), how.weak.end(), item.address);
  };
  std::vector<Dependence> waited_for;
  std::vector<Dependence> items = one_for_each_address(dependences);
  for (const Dependence& item : items)
    if (!is_weak(item)) waited_for.push_back(item);
  const std::uint32_t predecessors =
      waited_for.empty() ? 0 : siblings.add_waiting_only(task, waited_for, *me.cache);
  if (own.how.is_for_all_memory) items = {kOnAll};
  own.relays.reserve(items.size());
  for (const Dependence& item : items) {
    const bool needs_import = own.how.is_for_all_memory || is_weak(item);
    Task* const import = needs_import ? make_import(me, siblings, task, item) : nullptr;
    own.relays.push_back({item, import, &make_export(me, siblings, item)});
  }
  return arm(task, predecessors);
}

std::span<const Dependence> forget_transparency(Task& task, std::span<const Dependence> dependences) {
  const std::unique_ptr<TransparentTask> own(std::exchange(own_of(task), nullptr));
  return own->how.is_for_all_memory ? std::span(&kOnAll, 1) : dependences;
}

bool is_transparency_forgotten(const Task& task) {
  return task.kind == Task::kTransparent && own_of(task) == nullptr;
}

void begin_transparent(Member& me, Task& task) {
  TransparentTask* const own = own_of(task);
  if (own == nullptr || std::exchange(own->has_begun, true)) return;
  for (const Relays& relays : own->relays)
    if (relays.import != nullptr)
      table_of(me, task).import(*relays.import, relays.dependence.address, *me.cache);
}

void end_transparent(Member& me, Task& task) {
  const std::unique_ptr<TransparentTask> own(std::exchange(own_of(task), nullptr));
  if (own == nullptr) return;
  Completion where{*me.team, *me.cache, &me};
  for (const Relays& relays : own->relays) {
    Task& relay = *relays.export_;
    auto& waiting = relay.as<Waiting>();
    const Dependence all_of_it{relays.dependence.address, AccessKind::kOut, relays.dependence.is_all_memory};
    if (task.child_table != nullptr)
      task.child_table->add_waiting_only(relay, std::span(&all_of_it, 1), *me.cache, waiting);
    if (task.is_detachable())  // it is complete with its event
      table_of(me, task).add_own_task(relay, task, *me.cache, waiting);
    if (!arm(relay, waiting.predecessors)) continue;
    if (Task* const successor = complete_relay(where, relay)) make_ready(me, *successor);
  }
}

}  // namespace heddle
