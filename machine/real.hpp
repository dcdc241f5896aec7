// The functions of the C library that system.cpp puts others in place of.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>

namespace heddle::machine {

struct Real {
  long (*syscall)(long, ...);
  int (*clock_gettime)(clockid_t, timespec*);
  int (*gettimeofday)(timeval*, void*);
  int (*nanosleep)(const timespec*, timespec*);
  int (*clock_nanosleep)(clockid_t, int, const timespec*, timespec*);
  int (*sched_yield)();
  int (*sched_getaffinity)(pid_t, size_t, cpu_set_t*);
  int (*sched_setaffinity)(pid_t, size_t, const cpu_set_t*);
  int (*sched_getcpu)();
  long (*sysconf)(int);
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*pthread_join)(pthread_t, void**);
  void (*pthread_exit)(void*);
  int (*pthread_mutex_lock)(pthread_mutex_t*);
  int (*pthread_mutex_trylock)(pthread_mutex_t*);
  int (*pthread_mutex_unlock)(pthread_mutex_t*);
};

const Real& real();

}  // namespace heddle::machine
