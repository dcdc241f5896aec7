// A task that its creator's thread executes at once may suspend at any point of its body: from then on it is
// a child like any other, with data of its own, in the taskgroup that it was created in.
#include <omp.h>

#include <array>
#include <atomic>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

namespace {

constexpr int kTasks = 40;
outsider g_outsider;

// Whatever the number of threads, the next task that is created finds enough of them queued.
void queue_at_most_one() {
  heddle_set_throttle(1, std::size_t{1} << 30);
}

// Each task waits inside a taskgroup of its own; the outer one counts it all the same.
void groups_wait_for_those_that_left() {
  std::atomic<int> ended{0};
#pragma omp taskgroup
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(ended)
    {
#pragma omp taskgroup
      {
#pragma omp taskgroup
        wait_for_outsider(&g_outsider);
#pragma omp task
        wait_for_outsider(&g_outsider);
      }
      ++ended;
    }
  }
  CHECK(ended == kTasks);
}

// The creator's variables change as soon as it goes on.
template <int kInts>
void arguments_are_copied() {
  using Data = std::array<int, kInts>;
  std::atomic<int> right{0};
  Data data{};
  for (int i = 0; i < kTasks; ++i) {
    data.fill(i);
#pragma omp task shared(right) firstprivate(data, i)
    {
      wait_for_outsider(&g_outsider);
      Data expected;
      expected.fill(i);
      right += data == expected ? 1 : 0;
    }
    data.fill(-1);
  }
#pragma omp taskwait
  CHECK(right == kTasks);
}

struct Counted {
  static inline std::atomic<int> alive{0};
  explicit Counted(int is) : value(is) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  ~Counted() { --alive; }
  int value;
};

void objects_are_copied_and_destroyed() {
  std::atomic<int> right{0};
  for (int i = 0; i < kTasks; ++i) {
    Counted object(i);
#pragma omp task shared(right) firstprivate(object, i)
    {
      wait_for_outsider(&g_outsider);
      right += object.value == i ? 1 : 0;
    }
    object.value = -1;
  }
#pragma omp taskwait
  CHECK(right == kTasks);
}

// Some end while their children are suspended; taskwait leaves those alone, the group does not.
void children_outlive_their_parents() {
  std::atomic<int> parents{0}, children{0};
  const omp_event_handle_t all_created = omp_task_continuation_event();
  std::atomic<int> waiting{0};
#pragma omp taskgroup
  {
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(parents, children, waiting)
      {
#pragma omp task shared(children, waiting)
        {
          if (++waiting == kTasks + 1) omp_fulfill_event(all_created);
          for (int k = 0; k < 3; ++k) wait_for_outsider(&g_outsider);
          ++children;
        }
        ++parents;
      }
    }
#pragma omp taskwait
    CHECK(parents == kTasks);
    if (++waiting == kTasks + 1) omp_fulfill_event(all_created);
    omp_taskwait_detach(all_created);
  }
  CHECK(children == kTasks);
}

// More of them in each other than are executed at once in each other.
void descend(int depth, std::atomic<int>& deepest) {
  if (depth == 300) return;
#pragma omp task shared(deepest) firstprivate(depth)
  {
    ++deepest;
    descend(depth + 1, deepest);
    if (depth % 7 == 0) wait_for_outsider(&g_outsider);
  }
}
void they_nest() {
  std::atomic<int> deepest{0};
#pragma omp taskgroup
  descend(0, deepest);
  CHECK(deepest == 300);
}

// A creator that holds a lock goes on, and gives it back, when its task asks for it.
void creators_may_hold_what_they_want() {
  omp_lock_t lock;
  omp_init_lock(&lock);
  std::atomic<int> ended{0};
  for (int i = 0; i < kTasks; ++i) {
    omp_set_lock(&lock);
#pragma omp task shared(lock, ended)
    {
      omp_set_lock(&lock);
      ++ended;
      omp_unset_lock(&lock);
    }
    omp_unset_lock(&lock);
  }
#pragma omp taskwait
  CHECK(ended == kTasks);
  omp_destroy_lock(&lock);
}

void all() {
  groups_wait_for_those_that_left();
  arguments_are_copied<3>();
  arguments_are_copied<50>();
  objects_are_copied_and_destroyed();
  children_outlive_their_parents();
  they_nest();
  creators_may_hold_what_they_want();
}

}  // namespace

int main() {
  queue_at_most_one();
  start_outsider(&g_outsider, 0);
  all();
#pragma omp parallel
#pragma omp single
  all();
#pragma omp parallel
  all();
  end_outsider(&g_outsider);
  CHECK(Counted::alive == 0);
  return 0;
}
