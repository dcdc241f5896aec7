#include "simulate/workload/workload.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::simulate {
namespace {

double work_of(const Script& script) {
  double sum = 0;
  for (const Step& step : script)
    if (step.op == Op::kWork) sum += static_cast<double>(step.value);
  return sum;
}

double work_of(const ProcessText& process) {
  double sum = work_of(process.main);
  for (const TaskText& task : process.tasks) sum += work_of(task.script);
  for (const RegionText& region : process.regions) sum += work_of(region.script);
  for (const LoopText& loop : process.loops) sum += loop.time_of({0, 1});
  for (const Script& script : process.scripts) sum += work_of(script);
  for (const auto& list : process.pieces)
    for (const Script& script : list) sum += work_of(script);
  return sum;
}

}  // namespace

double LoopText::time_of(Share share) const {
  const auto count = static_cast<double>(parts.size());
  double sum = 0;
  for (double at = share.begin; at < share.end;) {
    const double part = std::min(std::floor(at * count + 1e-9), count - 1);
    const double until = std::min(share.end, (part + 1) / count);
    sum += (until - at) * count * static_cast<double>(parts[static_cast<std::size_t>(part)]);
    if (until <= at) break;
    at = until;
  }
  return sum;
}

double Workload::work() const {
  double sum = 0;
  for (const ProcessText& process : processes) sum += work_of(process);
  return sum;
}

}  // namespace heddle::simulate
