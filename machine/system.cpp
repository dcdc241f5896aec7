// The calls of the system that know threads, processors or time: the C library's functions of these names,
// for all code of the process. A thread that is not simulated gets what the real system does.
#include <cxxabi.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine.hpp"
#include "real.hpp"

namespace heddle::machine {

const Real& real() {
  static Real functions = [] {
    Real found;
    const auto look_up = [](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(RTLD_NEXT, name));
    };
    look_up(found.syscall, "syscall");
    look_up(found.clock_gettime, "clock_gettime");
    look_up(found.gettimeofday, "gettimeofday");
    look_up(found.nanosleep, "nanosleep");
    look_up(found.clock_nanosleep, "clock_nanosleep");
    look_up(found.sched_yield, "sched_yield");
    look_up(found.sched_getaffinity, "sched_getaffinity");
    look_up(found.sched_setaffinity, "sched_setaffinity");
    look_up(found.sched_getcpu, "sched_getcpu");
    look_up(found.sysconf, "sysconf");
    look_up(found.pthread_create, "pthread_create");
    look_up(found.pthread_join, "pthread_join");
    look_up(found.pthread_exit, "pthread_exit");
    look_up(found.pthread_mutex_lock, "pthread_mutex_lock");
    look_up(found.pthread_mutex_trylock, "pthread_mutex_trylock");
    look_up(found.pthread_mutex_unlock, "pthread_mutex_unlock");
    return found;
  }();
  return functions;
}

namespace {

constexpr std::int64_t kNsInSecond = 1'000'000'000;

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * kNsInSecond + time.tv_nsec;
}

timespec from_ns(std::int64_t ns) {
  return {static_cast<time_t>(ns / kNsInSecond), static_cast<long>(ns % kNsInSecond)};
}

// A while from now; picoseconds have room for a hundred days.
Time duration(std::int64_t ns) {
  constexpr std::int64_t kLongest = 1'000'000 * kNsInSecond;
  return std::clamp<std::int64_t>(ns, 0, kLongest) * kNanosecond;
}

// Clocks begin where the real ones were when somebody first asked, and go on in simulated time.
std::int64_t clock_ns(clockid_t clock, Time now) {
  static std::int64_t began[CLOCK_BOOTTIME + 1];
  std::int64_t& of_clock = began[clock];
  if (of_clock == 0) {
    timespec here{};
    real().clock_gettime(clock, &here);
    of_clock = ns_of(here) - now / kNanosecond;
  }
  return of_clock + now / kNanosecond;
}

// Others count what a process or a thread has used, which nobody simulates.
bool is_wall_clock(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      return true;
    default:
      return false;
  }
}

long fail(int error) {
  errno = error;
  return -1;
}

bool is_simulated_futex(int operation) {
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return true;
    default:
      return false;
  }
}

long futex(const Entry& entry, int* word, int operation, unsigned value, const timespec* limit,
           unsigned bits) {
  const int command = operation & FUTEX_CMD_MASK;
  const bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  if (!has_bits) bits = FUTEX_BITSET_MATCH_ANY;
  entry->call();
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
    return entry->threads().wake(word, bits, static_cast<int>(value));
  // The kernel reads the word as another processor's cache has it.
  entry->access(Access::kRead, word, sizeof *word, __builtin_return_address(0));
  if (static_cast<unsigned>(__atomic_load_n(word, __ATOMIC_SEQ_CST)) != value) return fail(EAGAIN);
  Time deadline = 0;
  if (limit != nullptr) {
    const bool is_absolute = command == FUTEX_WAIT_BITSET;
    const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    const Time now = entry->threads().now();
    deadline = std::max<Time>(1, now + duration(ns_of(*limit) - (is_absolute ? clock_ns(clock, now) : 0)));
  }
  return entry->threads().block(word, bits, deadline) ? 0 : fail(ETIMEDOUT);
}

void sleep_for(const Entry& entry, Time time) {
  entry->call();
  if (time > 0) entry->threads().block(&entry->threads().current(), 0, entry->threads().now() + time);
}

void copy_processors(const ProcessorSet& processors, std::size_t bytes, cpu_set_t* set) {
  std::memset(set, 0, bytes);
  for (std::size_t number = 0; number < kMostProcessors; ++number)
    if (processors[number]) CPU_SET_S(number, bytes, set);
}

// Another thread than the current one moves when it next gets a processor.
int bind(const Entry& entry, Thread& thread, std::size_t bytes, const cpu_set_t* set) {
  ProcessorSet allowed;
  for (int number = 0; number < entry->description().processors; ++number)
    if (CPU_ISSET_S(static_cast<std::size_t>(number), bytes, set))
      allowed.set(static_cast<std::size_t>(number));
  if (allowed.none()) return EINVAL;
  entry->call();
  if (&thread == &entry->threads().current())
    entry->threads().bind(allowed);
  else
    thread.allowed = allowed;
  return 0;
}

struct Started {
  void* (*function)(void*);
  void* argument;
  Thread* thread;
  bool has_exited = false;  // by pthread_exit()
  void* result = nullptr;
};
[[gnu::tls_model("initial-exec")]] thread_local Started* t_started = nullptr;

// A thread ends behind all destructors of what is local to it: behind those of keys that have been called as
// often as they ever are.
pthread_key_t end_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    pthread_key_create(&made, [](void* round) {
      const auto left = reinterpret_cast<std::uintptr_t>(round) - 1;
      if (left != 0) {
        pthread_setspecific(end_key(), reinterpret_cast<void*>(left));
        return;
      }
      const Entry entry;
      simulate_this_thread(nullptr);
      if (entry) entry->threads().end();
    });
    return made;
  }();
  return key;
}

void run(void* argument) {
  Started& started = *static_cast<Started*>(argument);
  t_started = &started;
  simulate_this_thread(started.thread);
  pthread_setspecific(end_key(), reinterpret_cast<void*>(std::uintptr_t{PTHREAD_DESTRUCTOR_ITERATIONS}));
  try {
    started.result = started.function(started.argument);
  } catch (const abi::__forced_unwind&) {
    // The unwinding of pthread_exit() goes no further than the carrier's frames, and on at home.
    the_machine()->threads().go_home();
  }
}

// Before its turn a thread does nothing that others could notice, as by the order in which memory is
// allocated.
void* execute(void* argument) {
  auto* const started = static_cast<Started*>(argument);
  the_machine()->threads().execute(*started->thread, run, started);
  const Started ended = *started;
  delete started;
  if (ended.has_exited) real().pthread_exit(ended.result);
  return ended.result;
}

// The machine's threads wait for these here; what the mutex itself says stays right for who is not simulated.
int lock(const Entry& entry, pthread_mutex_t* mutex) {
  for (;;) {
    const int error = real().pthread_mutex_trylock(mutex);
    if (error != EBUSY) return error;
    entry->call();
    entry->threads().block(mutex, ~0u, 0);
  }
}

}  // namespace
}  // namespace heddle::machine

using namespace heddle::machine;

extern "C" {

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_gettid) return gettid();
  if (number == SYS_membarrier || (number == SYS_futex && is_simulated_futex(static_cast<int>(a[1])))) {
    if (const Entry entry; entry) {
      if (number == SYS_futex)
        return futex(entry, reinterpret_cast<int*>(a[0]), static_cast<int>(a[1]), static_cast<unsigned>(a[2]),
                     reinterpret_cast<const timespec*>(a[3]), static_cast<unsigned>(a[5]));
      entry->interrupt_others();
      return 0;
    }
  }
  return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (is_wall_clock(clock))
    if (const Entry entry; entry) {
      *time = from_ns(clock_ns(clock, entry->threads().now()));
      return 0;
    }
  return real().clock_gettime(clock, time);
}

int gettimeofday(timeval* time, void* zone) noexcept {
  if (const Entry entry; entry) {
    const timespec now = from_ns(clock_ns(CLOCK_REALTIME, entry->threads().now()));
    *time = {now.tv_sec, static_cast<suseconds_t>(now.tv_nsec / 1000)};
    return 0;
  }
  return real().gettimeofday(time, zone);
}

int nanosleep(const timespec* time, timespec* left) {
  if (const Entry entry; entry) {
    sleep_for(entry, duration(ns_of(*time)));
    if (left != nullptr) *left = {};
    return 0;
  }
  return real().nanosleep(time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (const Entry entry; entry && is_wall_clock(clock)) {
    const bool is_absolute = (flags & TIMER_ABSTIME) != 0;
    sleep_for(entry, duration(ns_of(*time) - (is_absolute ? clock_ns(clock, entry->threads().now()) : 0)));
    return 0;
  }
  return real().clock_nanosleep(clock, flags, time, left);
}

int usleep(useconds_t us) {
  const timespec time = from_ns(std::int64_t{us} * 1000);
  return nanosleep(&time, nullptr);
}

unsigned sleep(unsigned seconds) {
  const timespec time{static_cast<time_t>(seconds), 0};
  nanosleep(&time, nullptr);
  return 0;
}

int sched_yield() noexcept {
  if (const Entry entry; entry) {
    entry->call();
    entry->threads().yield();
    return 0;
  }
  return real().sched_yield();
}

int sched_getcpu() noexcept {
  if (const Entry entry; entry) return entry->threads().current().processor;
  return real().sched_getcpu();
}

int sched_getaffinity(pid_t id, size_t bytes, cpu_set_t* set) noexcept {
  if (const Entry entry; entry) {
    const Thread* const thread = entry->threads().find(id);
    if (thread != nullptr) {
      copy_processors(thread->allowed, bytes, set);
      return 0;
    }
  }
  return real().sched_getaffinity(id, bytes, set);
}

int sched_setaffinity(pid_t id, size_t bytes, const cpu_set_t* set) noexcept {
  if (const Entry entry; entry) {
    Thread* const thread = entry->threads().find(id);
    if (thread != nullptr) {
      const int error = bind(entry, *thread, bytes, set);
      return error == 0 ? 0 : static_cast<int>(fail(error));
    }
  }
  return real().sched_setaffinity(id, bytes, set);
}

int pthread_getaffinity_np(pthread_t handle, size_t bytes, cpu_set_t* set) noexcept {
  if (const Entry entry; entry)
    if (const Thread* const thread = entry->threads().find_by_handle(handle); thread != nullptr) {
      copy_processors(thread->allowed, bytes, set);
      return 0;
    }
  return ESRCH;
}

int pthread_setaffinity_np(pthread_t handle, size_t bytes, const cpu_set_t* set) noexcept {
  if (const Entry entry; entry)
    if (Thread* const thread = entry->threads().find_by_handle(handle); thread != nullptr)
      return bind(entry, *thread, bytes, set);
  return ESRCH;
}

long sysconf(int name) noexcept {
  if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN)
    if (const Entry entry; entry) return entry->description().processors;
  return real().sysconf(name);
}

int get_nprocs() noexcept {
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}
int get_nprocs_conf() noexcept {
  return static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
}

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  if (const Entry entry; entry) {
    entry->call();
    Thread& thread = entry->threads().create();
    auto* const started = new Started{function, argument, &thread};
    const int error = real().pthread_create(handle, attributes, execute, started);
    if (error != 0) {
      entry->threads().discard(thread);
      delete started;
      return error;
    }
    thread.handle = *handle;
    thread.is_there.wait();
    return 0;
  }
  return real().pthread_create(handle, attributes, function, argument);
}

int pthread_join(pthread_t handle, void** result) {
  if (const Entry entry; entry) {
    const Thread* const thread = entry->threads().find_by_handle(handle);
    if (thread != nullptr && !thread->has_ended) entry->threads().block(thread, ~0u, 0);
  }
  return real().pthread_join(handle, result);
}

void pthread_exit(void* result) {
  if (t_started != nullptr) {
    t_started->has_exited = true;
    t_started->result = result;
  }
  real().pthread_exit(result);
  __builtin_unreachable();
}

// The carrier has one of its own, whoever it executes.
pid_t gettid() noexcept {
  if (const Entry entry; entry) return static_cast<pid_t>(entry->threads().current().native_id);
  return static_cast<pid_t>(real().syscall(SYS_gettid));
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (const Entry entry; entry) return lock(entry, mutex);
  return real().pthread_mutex_lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  const int error = real().pthread_mutex_unlock(mutex);
  if (const Entry entry; entry) entry->threads().wake(mutex, ~0u, 1);
  return error;
}

// Condition variables are lists of the machine's sleepers; a program's own are never looked at. A wake-up
// between unlocking and sleeping is not lost: the thread does not hand over there.
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const Entry entry;
  if (!entry) {
    std::fputs("heddle: a thread that is not simulated waits for a condition variable\n", stderr);
    std::abort();
  }
  real().pthread_mutex_unlock(mutex);
  entry->threads().wake(mutex, ~0u, 1);
  entry->threads().block(condition, ~0u, 0);
  return lock(entry, mutex);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (const Entry entry; entry) entry->threads().wake(condition, ~0u, 1);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (const Entry entry; entry) entry->threads().wake(condition, ~0u, INT_MAX);
  return 0;
}

// What is initialised on first use (C++'s static variables), where another thread may be at it.
//
// The first byte is 1 when it is done, as the C++ ABI has it; the second one while a thread is at it.
int __cxa_guard_acquire(unsigned char* guard) {
  for (;;) {
    if (guard[0] == 1) return 0;
    if (guard[1] == 0) {
      guard[1] = 1;
      return 1;
    }
    if (const Entry entry; entry)
      entry->threads().block(guard, ~0u, 0);
    else
      real().sched_yield();
  }
}
void __cxa_guard_release(unsigned char* guard) {
  guard[0] = 1;
  guard[1] = 0;
  if (const Entry entry; entry) entry->threads().wake(guard, ~0u, INT_MAX);
}
void __cxa_guard_abort(unsigned char* guard) {
  guard[1] = 0;
  if (const Entry entry; entry) entry->threads().wake(guard, ~0u, INT_MAX);
}

}  // extern "C"
