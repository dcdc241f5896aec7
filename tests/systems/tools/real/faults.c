// A fault of a region's code, in any of its threads, reaches the program's own handler.
#define _GNU_SOURCE
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "right.h"

static _Thread_local sigjmp_buf back;
static const int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS};

static void handle(int number) {
  siglongjmp(back, number);
}

static char* beyond_end_of_file(void) {
  char name[] = "/tmp/heddle-fault-XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  char* const page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);  // of a file without a byte
  close(file);
  return page;
}

static void fault(int number) {
  volatile int zero = 0, seven = 7;
  switch (number) {
    case SIGSEGV:
      *(volatile int*)(unsigned long)(zero + 8) = 1;
      break;
    case SIGBUS:
      zero = *(volatile char*)beyond_end_of_file();
      break;
    case SIGILL:
      __builtin_trap();
    case SIGTRAP:
      raise(SIGTRAP);  // to this thread, as a breakpoint's
      break;
    case SIGFPE:
      zero = seven / zero;
      break;
    default:
      raise(number);
  }
}

int main(void) {
  for (unsigned i = 0; i < sizeof kFaults / sizeof *kFaults; ++i) {
    struct sigaction action = {.sa_handler = handle};
    sigaction(kFaults[i], &action, NULL);
    int handled = 0;
#pragma omp parallel num_threads(3) reduction(+ : handled)
    {
      const int number = sigsetjmp(back, 1);
      if (number == 0)
        fault(kFaults[i]);
      else
        handled += number == kFaults[i];
    }
    RIGHT(handled == 3, "signal %d is handled in %d of 3 threads", kFaults[i], handled);
    fflush(stdout);
  }
  return end();
}
