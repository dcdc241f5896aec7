// A command that a region's thread starts behaves as one that the main thread starts: SIGTERM ends it, its
// shell's trap is run, a writer whose reader has gone ends by SIGPIPE. So it is where a helper, whose owner
// blocks all signals in it, was the first to use OpenMP.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "right.h"

extern char** environ;

static int threads_of_region(void) {
  int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads += 1;
  return threads;
}

static void* help(void* argument) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  *(int*)argument = threads_of_region();
  return NULL;
}

static void let_a_helper_be_first(void) {
  pthread_t helper;
  int threads = 0;
  pthread_create(&helper, NULL, help, &threads);
  pthread_join(helper, NULL);
  RIGHT(threads == 2, "the helper's region has %d threads", threads);
}

static int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) let_a_helper_be_first();
  pid_t sleeper = 0;
  int trapped = -1, piped = -1, forked = -1;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    char* words[] = {"sleep", "30", NULL};
    posix_spawnp(&sleeper, "sleep", NULL, NULL, words, environ);
    trapped = system("trap 'exit 7' TERM; kill -TERM $$; exit 0");
    piped = system("timeout -s KILL 5 sh -c 'yes | head -n 1' > /dev/null 2>&1");
    const pid_t child = fork();
    if (child == 0) execlp("sh", "sh", "-c", "trap 'exit 7' TERM; kill -TERM $$; exit 0", NULL);
    waitpid(child, &forked, 0);
  }
  kill(sleeper, SIGTERM);
  int status = 0, is_dead = 0;
  for (int i = 0; i < 200 && !is_dead; ++i, usleep(10000))
    is_dead = waitpid(sleeper, &status, WNOHANG) == sleeper;
  RIGHT(is_dead, "SIGTERM does not end what posix_spawn() started");
  if (!is_dead) kill(sleeper, SIGKILL);
  RIGHT(status_of(trapped) == 7, "the trap of a shell from system() was not run: %d", status_of(trapped));
  RIGHT(status_of(forked) == 7, "the trap of a shell from fork() was not run: %d", status_of(forked));
  RIGHT(status_of(piped) == 0, "yes | head does not end: %d", status_of(piped));
  return end();
}
