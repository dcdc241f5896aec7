#include "sys/native_thread.hpp"

#include <pthread.h>
#include <signal.h>

namespace heddle {

bool start_thread(void* (*entry)(void*), void* argument, std::size_t stack_bytes) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_bytes != 0) pthread_attr_setstacksize(&attributes, stack_bytes);
  // Signals belong to the program's own threads; a worker inherits the mask in force here.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, entry, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return error == 0;
}

std::size_t default_stack_bytes() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

void at_thread_end(void (*action)(void*), void* argument) {
  static const pthread_key_t key = [action] {
    pthread_key_t made;
    pthread_key_create(&made, action);
    return made;
  }();
  pthread_setspecific(key, argument);
}

void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  pthread_atfork(before, in_parent, in_child);
}

}  // namespace heddle
