#include "sys/native_thread.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "sys/machine.hpp"

namespace heddle {
namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

// What the main thread blocks: "SigBlk:" and 16 hexadecimal digits, the last for signals 1 to 4 (proc(5)).
// Returns false where the system does not say.
bool read_mask_of_main(sigset_t* mask) {
  std::ifstream status("/proc/self/task/" + std::to_string(process_id()) + "/status");
  for (std::string word; status >> word;) {
    if (word != "SigBlk:") continue;
    unsigned long long bits = 0;
    if (!(status >> std::hex >> bits)) return false;
    sigemptyset(mask);
    for (int number = 1; number < 65; ++number)
      if ((bits >> (number - 1) & 1) != 0) sigaddset(mask, number);
    return true;
  }
  return false;
}

// The same but for moments in which libc blocks everything: while main starts a thread or a command.
bool read_lasting_mask_of_main(sigset_t* mask) {
  constexpr int kLooks = 10;
  constexpr std::int64_t kPauseNs = 100'000;
  for (int look = 0; look < kLooks; ++look) {
    if (!read_mask_of_main(mask)) return false;
    if (sigismember(mask, SIGTERM) == 0 || sigismember(mask, SIGINT) == 0 || sigismember(mask, SIGSEGV) == 0)
      break;
    sleep_ns(kPauseNs);
  }
  return true;
}

sigset_t mask_for(SignalMask signals, const sigset_t& here) {
  sigset_t mask = here;
  if (signals == SignalMask::kBlocked)
    sigfillset(&mask);
  else if (!is_main_thread() && !read_lasting_mask_of_main(&mask))
    mask = here;
  for (const int fault : kFaults) sigdelset(&mask, fault);
  return mask;
}

}  // namespace

bool start_thread(void* (*entry)(void*), void* argument, std::size_t stack_bytes, SignalMask signals) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  std::size_t least_bytes = 0;
  pthread_attr_getstacksize(&attributes, &least_bytes);
  pthread_attr_setstacksize(&attributes, stack_bytes != 0 ? stack_bytes : default_stack_bytes());
  // A thread begins with the mask in force here.
  sigset_t here;
  pthread_sigmask(SIG_SETMASK, nullptr, &here);
  const sigset_t its_own = mask_for(signals, here);
  pthread_sigmask(SIG_SETMASK, &its_own, nullptr);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, entry, argument);
  if (error != 0 && stack_bytes == 0) {  // there may be no room for as much as we should like
    pthread_attr_setstacksize(&attributes, least_bytes);
    error = pthread_create(&thread, &attributes, entry, argument);
  }
  pthread_sigmask(SIG_SETMASK, &here, nullptr);
  pthread_attr_destroy(&attributes);
  return error == 0;
}

std::size_t default_stack_bytes() {
  pthread_attr_t attributes;
  std::size_t bytes = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  // glibc gives 2 MB where there is no limit, less than most limits are; libomp as much as this.
  constexpr std::size_t kUnlimited = std::size_t{256} << 20;
  rlimit limit{};
  const bool is_unlimited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
  return is_unlimited ? std::max(bytes, kUnlimited) : bytes;
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
