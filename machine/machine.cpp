#include "machine.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "heddle_machine.h"
#include "real.hpp"

namespace heddle::machine {
namespace {

Machine* g_machine = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local Thread* t_thread = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local bool t_is_inside = false;

/// By which the program's own computing is told from what lies between two accesses of instrumented code.
constexpr Time kShortestComputing = 100 * kNanosecond;
// When the current thread was last inside; of the real system.
Time g_left = 0;

Time real_time() {
  timespec now{};
  real().clock_gettime(CLOCK_MONOTONIC, &now);
  return (Time{now.tv_sec} * 1'000'000'000 + now.tv_nsec) * kNanosecond;
}

}  // namespace

Machine::Machine(const Description& description)
    : description_(description),
      lines_(description_),
      threads_(description_),
      cores_(static_cast<std::size_t>(description_.processors)) {}

void Machine::access(Access kind, const void* address, std::size_t bytes, const void* place) {
  threads_.let_others_catch_up();
  constexpr std::uintptr_t kLineBytes = CacheLines::kLineBytes;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (std::uintptr_t line = begin / kLineBytes * kLineBytes; line < begin + bytes; line += kLineBytes)
    access_line(kind, line, place);
}

void Machine::access_line(Access kind, std::uintptr_t address, const void* place) {
  const int processor = threads_.current().processor;
  Core& here = core();
  ++here.accesses;
  threads_.spend(description_.access[static_cast<std::size_t>(Distance::kOwn)]);
  Time waited = kind == Access::kAtomic ? fence() : 0;
  CacheLines::Transfer transfer;
  if (kind == Access::kWrite) {
    waited = wait_until(here.stores.has_room(threads_.now()));
    transfer = lines_.write(processor, address, here.stores.can_fetch(threads_.now()));
    if (transfer.distance != Distance::kOwn) here.stores.fetch(transfer.until);
    here.stores.enter(transfer.until);
  } else {
    transfer = kind == Access::kRead ? lines_.read(processor, address, threads_.now())
                                     : lines_.write(processor, address, threads_.now());
    waited += wait_until(transfer.until);
  }
  if (transfer.distance != Distance::kOwn || waited != 0) transfers_.count(place, transfer.distance, waited);
}

Time Machine::fence() {
  threads_.spend(description_.atomic);
  return wait_until(core().stores.is_empty(threads_.now()));
}

Time Machine::wait_until(Time time) {
  const Time waited = std::max<Time>(0, time - threads_.now());
  threads_.spend(waited);
  core().waited += waited;
  return waited;
}

void Machine::compute(Time time) {
  threads_.spend(time);
  core().computed += time;
}

void Machine::interrupt_others() {
  call();
  threads_.interrupt_others();
}

void Machine::report(std::FILE* file) {
  std::fputs("{\"machine\": ", file);
  description_.print(file);
  std::fputs(",\n \"time_ns\": ", file);
  print_ns(file, threads_.latest());
  std::fprintf(file, ",\n \"threads\": %d,\n \"processors\": [", threads_.size());
  const char* separator = "";
  for (const Core& each : cores_) {
    std::fprintf(file, "%s\n  {\"accesses\": %jd, \"computed_ns\": ", separator,
                 static_cast<std::intmax_t>(each.accesses));
    print_ns(file, each.computed);
    std::fputs(", \"waited_ns\": ", file);
    print_ns(file, each.waited);
    std::fputc('}', file);
    separator = ",";
  }
  std::fputs("],\n \"places\": ", file);
  transfers_.print(file);
  std::fputs("}\n", file);
}

Entry::Entry() : machine_(t_thread != nullptr && !t_is_inside ? g_machine : nullptr) {
  if (machine_ == nullptr) return;
  t_is_inside = true;
  if (machine_->description().computes_as_said) return;
  const Time passed = real_time() - g_left;
  if (passed >= kShortestComputing) machine_->compute(passed);
}

Entry::~Entry() {
  if (machine_ == nullptr) return;
  // A thread that has ended has handed over.
  if (t_thread != nullptr && !machine_->description().computes_as_said) g_left = real_time();
  t_is_inside = false;
}

void simulate_this_thread(Thread* thread) {
  t_thread = thread;
  g_left = real_time();
}

Machine* the_machine() {
  return g_machine;
}

namespace {

pid_t g_process = 0;
const char* g_report = nullptr;

// One processor of the real machine is enough, and threads that hand over to each other do it fastest there.
void stay_on_one_processor() {
  const int here = real().sched_getcpu();
  if (here < 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  real().sched_setaffinity(0, sizeof one, &one);
}

[[gnu::constructor]] void start() {
  const char* const text = std::getenv("HEDDLE_MACHINE");
  const Description description = Description::parse(text != nullptr ? text : "");
  char topology[128];
  description.print_topology(topology, sizeof topology);
  setenv("HWLOC_SYNTHETIC", topology, 1);
  stay_on_one_processor();
  if (const char* const report = std::getenv("HEDDLE_MACHINE_REPORT")) {
    g_report = strdup(report);
    unsetenv("HEDDLE_MACHINE_REPORT");  // for what the program starts
  }
  g_process = getpid();
  g_machine = new Machine(description);
  simulate_this_thread(&g_machine->threads().current());
  pthread_atfork(nullptr, nullptr, [] {
    if (t_thread != nullptr) g_machine->threads().forget_others();
  });
  g_left = real_time();
}

[[gnu::destructor]] void finish() {
  t_is_inside = true;
  if (g_report == nullptr || *g_report == '\0' || getpid() != g_process) return;
  std::FILE* const file = std::fopen(g_report, "we");
  if (file == nullptr) {
    std::fprintf(stderr, "heddle: HEDDLE_MACHINE_REPORT: cannot write %s: %s\n", g_report,
                 std::strerror(errno));
    return;
  }
  g_machine->report(file);
  std::fclose(file);
}

}  // namespace
}  // namespace heddle::machine

using heddle::machine::Entry;

extern "C" void heddle_machine_compute(double ns) {
  const Entry entry;
  if (entry && ns > 0) entry->compute(static_cast<heddle::machine::Time>(ns * heddle::machine::kNanosecond));
}

extern "C" void heddle_machine_pause() {
  const Entry entry;
  if (entry) entry->pause();
}

extern "C" std::uint64_t heddle_machine_ticks() {
  const Entry entry;
  return entry ? static_cast<std::uint64_t>(entry->threads().now() / heddle::machine::kNanosecond) : 0;
}
