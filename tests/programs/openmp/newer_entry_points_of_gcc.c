// What GCC 13 to 17 call and older ones do not, called by hand: so that it is tried with every compiler. The
// forms of their arguments are those of the code that GCC 16.2 and the snapshot of 2026-10-20 generate.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#pragma GCC diagnostic ignored "-Wpedantic"  // POSIX: a pointer to void may be one to a function

static void* find(const char* name, const char* node) {
  void* const found = dlvsym(RTLD_DEFAULT, name, node);
  if (found == NULL) fprintf(stderr, "no %s@%s\n", name, node);
  CHECK(found != NULL);
  return found;
}

// The array of depend clauses: zero, how many, how many out, mutexinoutset and in; the rest are depend
// objects.
static void* clauses[16];
static void** depend(int out, int in, void* first, void* second) {
  memset(clauses, 0, sizeof clauses);
  clauses[1] = (void*)(intptr_t)(out + in);
  clauses[2] = (void*)(intptr_t)out;
  clauses[4] = (void*)(intptr_t)in;
  clauses[5] = first;
  clauses[6] = second;
  return clauses;
}

static void taskwait_depend_nowait_orders_without_waiting(void) {
  void (*const taskwait)(void**) = find("GOMP_taskwait_depend_nowait", "GOMP_5.1.1");
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 200; ++round) {
    int x = 0, y = 0;
#pragma omp task depend(out : x) shared(x)
    {
      for (volatile int i = 0; i < 1000; ++i) continue;
      x = 1;
    }
    taskwait(depend(1, 1, &y, &x));
#pragma omp task depend(in : y) shared(x, y, wrong)
    {
      if (x != 1) ++wrong;
      y = 2;
    }
#pragma omp taskwait
    if (y != 2) ++wrong;
  }
  CHECK(wrong == 0);
}

static void allocatables_are_known_by_their_address(void) {
  void* (*const allocate)(size_t, size_t, uintptr_t) = find("GOMP_alloc", "GOMP_5.0.1");
  void (*const give_back)(void*, uintptr_t) = find("GOMP_free", "GOMP_5.0.1");
  void (*const add)(void*) = find("GOMP_add_alloc", "GOMP_5.1.2");
  bool (*const is_allocated)(void*) = find("GOMP_is_alloc", "GOMP_5.1.2");
#pragma omp parallel
  for (int i = 0; i < 100; ++i) {
    void* const ours = allocate(64, 100, 0);
    CHECK((uintptr_t)ours % 64 == 0);
    add(ours);
    int elsewhere;
    CHECK(!is_allocated(&elsewhere));
    CHECK(is_allocated(ours));
    CHECK(!is_allocated(ours));
    give_back(ours, 0);
  }
}

static void interop_objects_are_none(void) {
  void (*const interop)(int, int, void***, const void*, const void*, int, void**, int, void***, unsigned,
                        void**) = find("GOMP_interop", "GOMP_5.1.3");
  int x = 0;
  void* object = &x;
  void** place = &object;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    x = 1;
    interop(-1, 1, &place, NULL, NULL, 0, NULL, 0, NULL, 0, depend(1, 0, &x, NULL));
    CHECK(x == 1 && object == NULL);
    object = &x;
    interop(-5, 0, NULL, NULL, NULL, 1, &object, 1, &place, 1, depend(1, 0, &x, NULL));
    CHECK(object == NULL);
  }
}

static void functions_are_their_own_on_the_host(void) {
  void* (*const map)(void*) = find("GOMP_target_map_indirect_ptr", "GOMP_5.1.2");
  CHECK(map((void*)functions_are_their_own_on_the_host) == (void*)functions_are_their_own_on_the_host);
}

// An allocatable of Fortran that is firstprivate: its descriptor, its data, and the pointer from one to the
// other.
struct descriptor {
  long before;
  int* data;
};
static int seen;
static void change(void* items) {
  const struct descriptor* const mine = *(struct descriptor**)items;
  seen = mine->data[0] + mine->data[1] + mine->data[2];
  for (int i = 0; i < 3; ++i) mine->data[i] = 99;
}
static void firstprivate_allocatables_are_copied_with_their_data(void) {
  void (*const target)(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**,
                       void**) = find("GOMP_target_ext", "GOMP_4.5");
  for (unsigned nowait = 0; nowait <= 1; ++nowait) {
    int data[3] = {1, 2, 3};
    struct descriptor original = {7, data};
    void* items[3] = {&original, data, NULL};
    items[2] = &items[0];
    size_t sizes[3] = {sizeof original, sizeof data, 1};  // the pointer is the second word
    unsigned short kinds[3] = {3 << 8 | 12, 3 << 8 | 12, 0x50};
    seen = 0;
#pragma omp parallel
#pragma omp single
    target(-2, change, 3, items, sizes, kinds, nowait, NULL, NULL);
    CHECK(seen == 6);
    CHECK(data[0] == 1 && data[1] == 2 && data[2] == 3 && original.data == data);
  }
}

static void copies_wait_for_depend_objects_of_gcc(void) {
  int (*const copy)(void*, const void*, size_t, size_t, size_t, int, int, int, void*) =
      find("omp_target_memcpy_async", "OMP_5.1.1");
  int (*const copy_box)(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*,
                        const size_t*, const size_t*, int, int, int, void*) =
      find("omp_target_memcpy_rect_async", "OMP_5.1.1");
  void* (*const fill)(void*, int, size_t, int, int, void*) = find("omp_target_memset_async", "GOMP_6.0.1");
  const int host = omp_get_initial_device();
  int from[100], between[100] = {0}, to[100] = {0}, last[100];
  for (int i = 0; i < 100; ++i) from[i] = i;
#pragma omp parallel
#pragma omp single
  {
    void* objects[2][2] = {{between, (void*)3}, {last, (void*)2}};  // address and kind: inout, out
    const size_t volume[2] = {10, 10}, offsets[2] = {0, 0};
    CHECK(copy(between, from, sizeof from, 0, 0, host, host, 1, objects) == 0);
    CHECK(copy_box(to, between, sizeof(int), 2, volume, offsets, offsets, volume, volume, host, host, 2,
                   objects) == 0);
    CHECK(fill(between, 7, 50 * sizeof(int), host, 2, objects) == between);
    CHECK(copy(last, between, sizeof last, 0, 0, host, host, 2, objects) == 0);
#pragma omp taskwait
  }
  for (int i = 0; i < 100; ++i) {
    CHECK(to[i] == i);
    CHECK(last[i] == (i < 50 ? 0x07070707 : i));
  }
}

typedef struct {
  int count, number;
} share;

static void static_shares_and_ends_of_constructs(void) {
  share (*const of_loop)(unsigned long long) = find("GOMP_loop_static_worksharing", "GOMP_6.0.2");
  share (*const begin_loop)(unsigned long long) = find("GOMP_loop_static_worksharing_start", "GOMP_6.0.2");
  void (*const dispatch)(unsigned long long, unsigned long long) =
      find("GOMP_loop_static_worksharing_dispatch", "GOMP_6.0.2");
  void (*const end_loop)(void) = find("GOMP_loop_static_worksharing_end", "GOMP_6.0.2");
  share (*const of_team)(unsigned long long) = find("GOMP_distribute_static_worksharing", "GOMP_6.0.2");
  bool (*const is_masked)(int) = find("GOMP_has_masked_thread_num_with_end", "GOMP_6.0.2");
  void (*const end_masked)(void) = find("GOMP_masked_end", "GOMP_6.0.2");
  bool (*const single)(void) = find("GOMP_single_start_with_end", "GOMP_6.0.2");
  void (*const end_single)(void) = find("GOMP_single_end", "GOMP_6.0.2");
  void (*const scope)(uintptr_t*) = find("GOMP_scope_start_with_end", "GOMP_6.0.2");
  void (*const end_scope)(void) = find("GOMP_scope_end", "GOMP_6.0.2");
  void (*const wait)(int) = find("GOMP_barrier_ext", "GOMP_6.0.2");
  bool (*const wait_cancellable)(int) = find("GOMP_barrier_cancel_ext", "GOMP_6.0.2");
  void (*const combine)(void) = find("GOMP_reduction_start", "GOMP_6.0.2");
  void (*const end_combine)(void) = find("GOMP_reduction_end", "GOMP_6.0.2");
  int sum = 0, singles = 0, masked = 0;
  atomic_int arrived = 0;
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), me = omp_get_thread_num();
    CHECK(of_loop(100).count == threads && of_loop(100).number == me);
    const share mine = begin_loop(100);
    CHECK(mine.count == threads && mine.number == me);
    dispatch(0, 100);
    end_loop();
    CHECK(of_team(100).count == 1 && of_team(100).number == 0);
    scope(NULL);
    combine();
    sum += me + 1;
    end_combine();
    end_scope();
    wait(1);
    CHECK(sum == threads * (threads + 1) / 2);
    if (single()) {
      ++singles;
      end_single();
    }
    if (is_masked(0)) {
      ++masked;
      end_masked();
    }
    atomic_fetch_add(&arrived, 1);
    CHECK(!wait_cancellable(2));
    CHECK(atomic_load(&arrived) == threads);
  }
  CHECK(singles == 1 && masked == 1);
}

static void devices_have_names(void) {
  const char* (*const name_of)(int) = find("omp_get_uid_from_device", "GOMP_6.0");
  int (*const device_of)(const char*) = find("omp_get_device_from_uid", "GOMP_6.0");
  CHECK(strcmp(name_of(omp_get_initial_device()), "OMP_INITIAL_DEVICE") == 0);
  CHECK(name_of(5) == NULL);
  CHECK(device_of("OMP_INITIAL_DEVICE") == -1 && device_of("nonsense") == -4);
}

static void one_dimension(void) {
  int (*const threads)(int) = find("omp_get_num_threads_dim", "OMP_6.1");
  int (*const most)(int, int) = find("omp_get_supported_teams_dim", "OMP_6.1");
  void (*const distances)(int, const int*, int*) = find("omp_get_device_distances", "OMP_6.1");
#pragma omp parallel
  CHECK(threads(0) == omp_get_num_threads() && threads(1) == 1);
  CHECK(most(omp_get_initial_device(), 0) > 1 && most(-1, 1) == 1 && most(5, 0) == -1);
  const int devices[2] = {-1, 5};
  int apart[2] = {7, 7};
  distances(2, devices, apart);
  CHECK(apart[0] == 0 && apart[1] == -1);
}

// Programs of GCC before 4.4: two words of four bytes, owned by a thread.
static void locks_of_openmp_25(void) {
  void (*const init)(void*) = find("omp_init_nest_lock", "OMP_1.0");
  void (*const set)(void*) = find("omp_set_nest_lock", "OMP_1.0");
  void (*const unset)(void*) = find("omp_unset_nest_lock", "OMP_1.0");
  int (*const test)(void*) = find("omp_test_nest_lock", "OMP_1.0");
  void (*const set_simple)(void*) = find("omp_set_lock", "OMP_1.0");
  void (*const unset_simple)(void*) = find("omp_unset_lock", "OMP_1.0");
  // As little room and alignment as they had, with marks around.
  int words[5] = {1, 2, 3, 4, 5};
  init(&words[1]);
  int simple = 0, count = 0, counted = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 100; ++i) {
      set(&words[1]);
      CHECK(test(&words[1]) == 2);
      ++count;
      unset(&words[1]);
      unset(&words[1]);
      set_simple(&simple);
      ++counted;
      unset_simple(&simple);
    }
#pragma omp barrier
    CHECK(count == 100 * omp_get_num_threads() && counted == count);
  }
  CHECK(words[0] == 1 && words[3] == 4 && words[4] == 5);
}

int main(void) {
  taskwait_depend_nowait_orders_without_waiting();
  allocatables_are_known_by_their_address();
  interop_objects_are_none();
  functions_are_their_own_on_the_host();
  firstprivate_allocatables_are_copied_with_their_data();
  copies_wait_for_depend_objects_of_gcc();
  static_shares_and_ends_of_constructs();
  devices_have_names();
  one_dimension();
  locks_of_openmp_25();
  return 0;
}
