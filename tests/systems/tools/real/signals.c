// Signals to the process reach its main thread, whoever is at work; those to one thread reach that thread.
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "right.h"

static atomic_int in_main, elsewhere;
static _Thread_local volatile sig_atomic_t here;

static void handle(int number) {
  (void)number;
  here = 1;
  if (syscall(SYS_gettid) == getpid())
    atomic_fetch_add(&in_main, 1);
  else
    atomic_fetch_add(&elsewhere, 1);
}

static void pause_ms(long ms) {
  const struct timespec time = {0, ms * 1000000};
  nanosleep(&time, NULL);
}

static void to_the_process_while_all_are_at_work(void) {
  atomic_int sent = 0, rounds = 0;
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) {
    for (int i = 0; i < 100; ++i) {
      kill(getpid(), SIGUSR1);
      for (int wait = 0; wait < 1000 && atomic_load(&in_main) + atomic_load(&elsewhere) <= i; ++wait)
        pause_ms(1);
      // Until its handler has returned, main blocks the next.
      const int seen = atomic_load(&rounds);
      while (atomic_load(&rounds) < seen + 2) pause_ms(1);
    }
    atomic_store(&sent, 1);
  } else {
    while (!atomic_load(&sent)) {
      if (omp_get_thread_num() == 0) atomic_fetch_add(&rounds, 1);
      sched_yield();
    }
  }
  // The kernel asks main first, but not where something else is pending there.
  RIGHT(in_main >= 95 && in_main + elsewhere == 100, "of 100 signals to the process main got %d, others %d",
        in_main, elsewhere);
}

static void to_one_thread(int number) {
  int got = 0;
#pragma omp parallel num_threads(3) reduction(+ : got)
  {
    here = 0;
    pthread_kill(pthread_self(), number);
    for (int wait = 0; wait < 200 && !here; ++wait) pause_ms(1);
    got += here;
  }
  RIGHT(got == 3, "signal %d reaches %d of 3 threads that it is sent to", number, got);
}

// What main blocked before its first region, to have it in ppoll(), comes there.
static void to_the_process_in_ppoll(void) {
  sigset_t none;
  sigemptyset(&none);
  atomic_store(&elsewhere, 0);
#pragma omp parallel num_threads(3)
  pause_ms(1);
  kill(getpid(), SIGTERM);
  const struct timespec time = {2, 0};
  const int result = ppoll(NULL, 0, &time, &none);
  RIGHT(result == -1 && errno == EINTR && elsewhere == 0,
        "ppoll() is not ended by the signal that main waits for");
}

int main(void) {
  const struct sigaction action = {.sa_handler = handle};
  const int numbers[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGPROF, SIGRTMIN + 3};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i) sigaction(numbers[i], &action, NULL);
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, NULL);
  to_the_process_while_all_are_at_work();
  to_one_thread(SIGPROF);
  to_one_thread(SIGUSR2);
  to_one_thread(SIGRTMIN + 3);
  to_the_process_in_ppoll();
  return end();
}
