// Tasks of a record that wait for nothing are dealt out to the members at once, more than one of them takes,
// and those with a priority come first. Each runs once, before what waits for it, whoever executes the
// record.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "check.h"
#include "heddle.h"

enum { kRoots = 3000, kRounds = 6 };

static int sources[kRoots + 1], sums[kRoots], created;
static atomic_int roots, others_wait;

static void create(void) {
  created++;
  for (int i = 0; i <= kRoots; i++) {
#pragma omp task depend(out : sources[i]) firstprivate(i) priority(i % 7 == 0)
    {
      sources[i] += i;
      atomic_fetch_add(&roots, 1);
    }
  }
  for (int i = 0; i < kRoots; i++) {
#pragma omp task depend(in : sources[i], sources[i + 1]) depend(out : sums[i]) firstprivate(i)
    sums[i] = sources[i] + sources[i + 1];
  }
}

static void check(int round) {
  CHECK(atomic_load(&roots) == round * (kRoots + 1));
  for (int i = 0; i < kRoots; i++) CHECK(sums[i] == round * (2 * i + 1));
}

static void reset(void) {
  created = 0;
  atomic_store(&roots, 0);
  for (int i = 0; i <= kRoots; i++) sources[i] = 0;
}

// By each member in turn, which keeps a record of its own.
static void by_any_member(void) {
  reset();
#pragma omp parallel
  for (int round = 1; round <= 2 * kRounds; round++) {
    if (omp_get_thread_num() == round / 3 % 2 % omp_get_num_threads()) {  // thrice in a row
      HEDDLE_TASKGRAPH(.graph_id = 1) create();
      check(round);
    }
#pragma omp barrier
  }
  CHECK(created <= 2);
}

// The others do something else until the record was executed: one member does all of it.
static void by_one_member_alone(void) {
  reset();
  for (int round = 1; round <= kRounds; round++) {
    atomic_store(&others_wait, 1);
#pragma omp parallel
    if (omp_get_thread_num() == 0) {
      HEDDLE_TASKGRAPH(.graph_id = 3) create();
      check(round);
      atomic_store(&others_wait, 0);
    } else {
      while (atomic_load(&others_wait)) sched_yield();
    }
  }
  CHECK(created == 1);
}

enum { kFew = 400, kMostMembers = 8 };
static int own_sources[kMostMembers][kFew + 1], own_sums[kMostMembers][kFew];

static void create_own(int member) {
  int *const from = own_sources[member], *const to = own_sums[member];
  for (int i = 0; i <= kFew; i++) {
#pragma omp task depend(out : from[i]) firstprivate(i, from)
    from[i] += i;
  }
  for (int i = 0; i < kFew; i++) {
#pragma omp task depend(in : from[i], from[i + 1]) depend(out : to[i]) firstprivate(i, from, to)
    to[i] = from[i] + from[i + 1];
  }
}

// Each member waits for its own tasks, and may start no other's.
static void by_all_members_at_once(void) {
#pragma omp parallel num_threads(omp_get_max_threads() < kMostMembers ? omp_get_max_threads() : kMostMembers)
  {
    const int member = omp_get_thread_num();
    for (int round = 1; round <= 5 * kRounds; round++) {
      HEDDLE_TASKGRAPH(.graph_id = 4) create_own(member);
      for (int i = 0; i < kFew; i++) CHECK(own_sums[member][i] == round * (2 * i + 1));
    }
  }
}

int main(void) {
  by_any_member();
  by_one_member_alone();
  by_all_members_at_once();
  return 0;
}
