#include "report/watchdog.hpp"

#include <cstdio>
#include <cstdlib>

#include "icv/settings.hpp"
#include "report/wait_records.hpp"
#include "report/wait_report.hpp"
#include "sys/machine.hpp"
#include "sys/native_thread.hpp"
#include "sys/thread_question.hpp"
#include "team/team.hpp"
#include "team/workers.hpp"

namespace heddle {
namespace {

// A number that changes with every progress that anybody makes.
std::uint64_t progress() {
  std::uint64_t sum = 0;
  for_each_place([&sum](const Member& place) {
    sum += place.tasks.created() + place.tasks.finished() + place.suspended.resumed.load();
    if (place.number == 0)
      sum += place.team->barrier.progress() + place.team->cancellable_barrier.progress() +
             place.team->opening.last() + place.team->finished_outside.finished();
  });
  return sum;
}

void* watch(void*) {
  constexpr std::int64_t kNsInMs = 1'000'000;
  const std::int64_t patience_ns = std::int64_t{settings().watchdog_ms} * kNsInMs;
  constexpr int kLooks = 8;
  // Of two ranks that stopped at the same time one may have seen the last progress a look after the other. It
  // reports a look later, and must not have been ended by then.
  constexpr int kLooksUntilAbort = 2;
  std::uint64_t seen = progress();
  std::int64_t quiet_looks = 0;  // in which nothing had progressed
  for (;;) {
    sleep_ns(patience_ns / kLooks);
    const std::uint64_t now = progress();
    if (now != seen) {
      seen = now;
      quiet_looks = 0;
      continue;
    }
    ++quiet_looks;
    if (quiet_looks == kLooks) {
      const std::string report = report_waits(Places::kResolved);
      if (!report.empty())
        std::fprintf(stderr, "heddle: nothing has progressed for %.3g s (HEDDLE_WATCHDOG)\n%s",
                     static_cast<double>(patience_ns) / 1e9, report.c_str());
    } else if (quiet_looks == kLooks + kLooksUntilAbort && settings().watchdog_aborts) {
      std::fprintf(stderr, "heddle: nothing has progressed since: abort (HEDDLE_WATCHDOG)\n");
      std::abort();
    }
  }
}

}  // namespace

void start_watchdog() {
  if (settings().watchdog_ms == 0 || has_wait_records()) return;
  prepare_questions();
  if (start_thread(watch, nullptr, 0, SignalMask::kBlocked)) start_wait_records();
}

}  // namespace heddle
