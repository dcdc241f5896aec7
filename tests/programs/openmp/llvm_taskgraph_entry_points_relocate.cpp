// Taskgraph regions as Clang's development branches call them: replayed in other frames, by several threads,
// in explicit tasks, with objects. The calls that such a compiler makes are written out here.
// OpenMP 6.0, section 14.3.
#include <omp.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "check.h"
#include "llvm_calls.hpp"

namespace {

using Relocate = void (*)(View*, void*);
using Clone = void (*)(View*, View*, int);

const auto plain_task = find<int (*)(void*, int, View*)>("__kmpc_omp_task");
const auto taskgraph =
    find<void (*)(void*, int, void**, std::uint64_t, int, int, void (*)(void*), void*)>("__kmpc_taskgraph");
const auto replayable_task =
    find<int (*)(void*, int, View*, int, std::size_t, std::size_t, int, Depend*, Relocate, Clone)>(
        "__kmpc_taskgraph_task");
const auto taskwait = find<void (*)(void*, int, int, Depend*)>("__kmpc_taskgraph_taskwait");

const auto begin_undeferred = find<void (*)(void*, int, View*)>("__kmpc_omp_task_begin_if0");
const auto complete_undeferred = find<void (*)(void*, int, View*)>("__kmpc_omp_task_complete_if0");

constexpr int kHasDestructors = 8;
constexpr std::uint8_t kInOut = 3;

int me() {
  return number(nullptr);
}

// -- a chain of tasks: the i-th writes out[i] = *base + i
// ----------------------------------------------------

constexpr int kChain = 6;

struct Captures {
  int* base;
  int* out;
  int* chain;
  std::atomic<int>* bodies;
  bool can_be_relocated = true;
};

struct Link : View {
  int i;
};

int run_link(int, View* view) {
  auto* const link = static_cast<Link*>(view);
  const auto* const base = static_cast<int*>(view->shareds[0]);
  auto* const out = static_cast<int*>(view->shareds[1]);
  out[link->i] = (link->i == 0 ? *base : out[link->i - 1] + 1);
  link->i = -1;  // in this execution
  return 0;
}

void relocate_link(View* view, void* captures) {
  const auto* const now = static_cast<Captures*>(captures);
  view->shareds[0] = now->base;
  view->shareds[1] = now->out;
}

Link* new_link(const Captures& captures, int i) {
  auto* const link =
      static_cast<Link*>(alloc(nullptr, me(), kTied, sizeof(Link), 2 * sizeof(void*), run_link));
  link->shareds[0] = captures.base;
  link->shareds[1] = captures.out;
  link->i = i;
  return link;
}

void chain_body(void* with) {
  auto& captures = *static_cast<Captures*>(with);
  ++*captures.bodies;
  for (int i = 0; i < kChain; ++i) {
    Depend depend{captures.chain, sizeof(int), kInOut};
    replayable_task(nullptr, me(), new_link(captures, i), kTied, sizeof(Link), 2 * sizeof(void*), 1, &depend,
                    captures.can_be_relocated ? relocate_link : nullptr, nullptr);
    if (i == kChain / 2) taskwait(nullptr, me(), 1, &depend);
  }
}

struct Options {
  std::uint64_t id = 0;
  bool reset = false;
  bool can_be_relocated = true;
  int depth = 0;
};

// In a frame of its own, deeper for a larger depth.
[[gnu::noinline]] void run_chain(void** handle, std::atomic<int>& bodies, int base, Options options) {
  if (options.depth > 0) {
    --options.depth;
    run_chain(handle, bodies, base, options);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the call is not the last thing here
    return;
  }
  int local = base, chain = 0, out[kChain] = {0};
  Captures captures{&local, out, &chain, &bodies, options.can_be_relocated};
  taskgraph(nullptr, me(), handle, options.id, options.reset ? 1 : 0, 0, chain_body, &captures);
  for (int i = 0; i < kChain; ++i) CHECK(out[i] == base + i);
}

void frames_share_a_record() {
  static void* handle = nullptr;
  std::atomic<int> bodies{0};
#pragma omp parallel
#pragma omp single
  {
    for (int n = 0; n < 20; ++n) run_chain(&handle, bodies, 100 * n, {.depth = n});
    CHECK(bodies == 1);
    run_chain(&handle, bodies, 7, {.reset = true});
    CHECK(bodies == 2);
    for (int n = 0; n < 3; ++n) run_chain(&handle, bodies, n, {.id = 5, .depth = n});
    CHECK(bodies == 3);
    run_chain(&handle, bodies, 8, {});
    CHECK(bodies == 3);
  }
}

void every_thread_replays() {
  static void* handle = nullptr;
  std::atomic<int> bodies{0};
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int n = 0; n < 100; ++n)
      run_chain(&handle, bodies, 1000 * omp_get_thread_num() + n, {.depth = n % 3});
  }
  CHECK(bodies == threads);
}

void explicit_tasks_replay() {
  static void* handle = nullptr;
  std::atomic<int> bodies{0};
#pragma omp parallel
#pragma omp single
  for (int n = 0; n < 200; ++n) {
#pragma omp task firstprivate(n) shared(bodies)
    run_chain(&handle, bodies, n, {.depth = n % 4});
  }
  CHECK(bodies >= 1 && bodies < 200);
}

void what_cannot_be_relocated_is_not_replayed() {
  static void* handle = nullptr;
  std::atomic<int> bodies{0};
#pragma omp parallel
#pragma omp single
  for (int n = 0; n < 5; ++n) run_chain(&handle, bodies, n, {.can_be_relocated = false, .depth = n});
  CHECK(bodies == 5);
}

// -- what a record would lack, or find too late
// -----------------------------------------------------------------

// The frame that has what the tasks share by reference ends before they begin; what that leads to does not.
void add_one(View* view) {
  ++*static_cast<int*>(view->shareds[0]);
}

int run_add_one(int, View* view) {
  add_one(view);
  return 0;
}

struct Sum {
  int* sum;
  int* bodies;
  bool is_deferred;
};

void add_body(void* with) {
  const Sum& sum = *static_cast<Sum*>(with);
  ++*sum.bodies;
  View* const task = alloc(nullptr, me(), kTied, sizeof(View), sizeof(void*), run_add_one);
  task->shareds[0] = sum.sum;
  Depend depend{sum.sum, sizeof(int), kInOut};
  if (!sum.is_deferred) {
    begin_undeferred(nullptr, me(), task);
    add_one(task);
    complete_undeferred(nullptr, me(), task);
    return;
  }
  replayable_task(
      nullptr, me(), task, kTied, sizeof(View), sizeof(void*), 1, &depend,
      [](View* view, void* captures) { view->shareds[0] = static_cast<Sum*>(captures)->sum; }, nullptr);
}

[[gnu::noinline]] void add_in_a_frame(void** handle, int* sum, int* bodies, bool nogroup, bool is_deferred) {
  Sum captures{sum, bodies, is_deferred};
  taskgraph(nullptr, me(), handle, 0, 0, nogroup ? 1 : 0, add_body, &captures);
  captures = {nullptr, nullptr, false};
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void tasks_without_a_group_outlive_the_frame() {
  static void* handle = nullptr;
  constexpr int kTimes = 50;
#pragma omp parallel
#pragma omp single
  {
    int sums[2] = {0, 0}, bodies = 0;
    for (int n = 0; n < kTimes; ++n) add_in_a_frame(&handle, &sums[n % 2], &bodies, true, true);
#pragma omp taskwait
    CHECK(sums[0] == kTimes / 2 && sums[1] == kTimes / 2);
    CHECK(bodies == kTimes);
  }
}

void undeferred_tasks_are_executed_each_time() {
  static void* handle = nullptr;
#pragma omp parallel
#pragma omp single
  {
    int sum = 0, bodies = 0;
    for (int n = 0; n < 10; ++n) add_in_a_frame(&handle, &sum, &bodies, false, false);
    CHECK(sum == 10 && bodies == 10);
  }
}

// Whoever meets the region next does not use a record from before.
void a_reset_is_for_all_threads() {
  static void* handle = nullptr;
  std::atomic<int> bodies{0};
#pragma omp parallel
  {
    for (int n = 0; n < 3; ++n) run_chain(&handle, bodies, n, {});
#pragma omp barrier
#pragma omp single
    {
      CHECK(bodies == omp_get_num_threads());
      run_chain(&handle, bodies, 9, {.reset = true});
      CHECK(bodies == omp_get_num_threads() + 1);
    }
    run_chain(&handle, bodies, 4, {});
#pragma omp barrier
    CHECK(bodies == 2 * omp_get_num_threads());
  }
}

// -- objects, and tasks that are not replayable
// ---------------------------------------------------------------

std::atomic<int> alive{0}, executed{0}, left_out{0};

// Knows its own address, and must not be used up.
struct Object {
  explicit Object(int its_value) : value(its_value), self(this) { ++alive; }
  Object(const Object& from) : value(from.value), self(this) {
    CHECK(from.self == &from);
    ++alive;
  }
  ~Object() {
    CHECK(self == this);
    --alive;
  }
  Object& operator=(const Object&) = delete;
  int value;
  Object* self;
};

struct Holder : View {
  alignas(Object) char object[sizeof(Object)];
  Object& held() { return *std::launder(reinterpret_cast<Object*>(object)); }
};

int run_holder(int, View* view) {
  Object& object = static_cast<Holder*>(view)->held();
  CHECK(object.self == &object && object.value == 42);
  object.value = -1;
  ++executed;
  return 0;
}

int destroy_holder(int, View* view) {
  static_cast<Holder*>(view)->held().~Object();
  return 0;
}

void clone_holder(View* to, View* from, int) {
  new (static_cast<Holder*>(to)->object) Object(static_cast<Holder*>(from)->held());
}

int run_left_out(int, View*) {
  ++left_out;
  return 0;
}

void objects_body(void*) {
  for (int i = 0; i < 10; ++i) {
    auto* const holder =
        static_cast<Holder*>(alloc(nullptr, me(), kTied | kHasDestructors, sizeof(Holder), 0, run_holder));
    const Object original(42);
    new (holder->object) Object(original);
    holder->words[0].destructors = destroy_holder;
    replayable_task(nullptr, me(), holder, kTied | kHasDestructors, sizeof(Holder), 0, 0, nullptr, nullptr,
                    clone_holder);
  }
  plain_task(nullptr, me(), alloc(nullptr, me(), kTied, sizeof(View), 0, run_left_out));
}

void objects_are_copied_for_each_execution() {
  static void* handle = nullptr;
#pragma omp parallel
#pragma omp single
  {
    for (int n = 1; n <= 6; ++n) {
      const bool resets = n == 4;
      taskgraph(nullptr, me(), &handle, 0, resets ? 1 : 0, 0, objects_body, nullptr);
      CHECK(executed == 10 * n && left_out == (n < 4 ? 1 : 2));
      CHECK(alive == 10);  // those of the record
    }
  }
}

}  // namespace

int main() {
  frames_share_a_record();
  every_thread_replays();
  explicit_tasks_replay();
  what_cannot_be_relocated_is_not_replayed();
  tasks_without_a_group_outlive_the_frame();
  undeferred_tasks_are_executed_each_time();
  a_reset_is_for_all_threads();
  objects_are_copied_for_each_execution();
  return 0;
}
