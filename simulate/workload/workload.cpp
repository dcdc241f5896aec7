#include "simulate/workload/workload.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::simulate {
namespace {

// What a script does and has others do.
double work_of(const ProcessText& process, const Script& script) {
  double sum = 0;
  for (const Step& step : script) {
    const auto index = static_cast<std::size_t>(step.value);
    switch (step.op) {
      case Op::kWork:
        sum += static_cast<double>(step.value);
        break;
      case Op::kCreate:
        sum += work_of(process, process.tasks[index].script);
        break;
      case Op::kPieces:
        for (const Script& piece : process.pieces[index]) sum += work_of(process, piece);
        break;
      case Op::kSingle:
        sum += work_of(process, process.scripts[index]);
        break;
      case Op::kTaskloop:
        sum += work_of(process, process.taskloops[index]);
        break;
      case Op::kLoop:
        sum += process.loops[index].time_of({0, 1});
        break;
      case Op::kRegion:
        sum += work_of(process, process.regions[index].script);
        break;
      case Op::kRepeat:
        sum += static_cast<double>(process.repeats[index].times) *
               work_of(process, process.repeats[index].script);
        break;
      default:
        break;
    }
  }
  return sum;
}

void add_created(const ProcessText& process, const Script& script, std::vector<const TaskText*>& to) {
  for (const Step& step : script) {
    const auto index = static_cast<std::size_t>(step.value);
    switch (step.op) {
      case Op::kCreate:
        to.push_back(&process.tasks[index]);
        add_created(process, process.tasks[index].script, to);
        break;
      case Op::kPieces:
        for (const Script& piece : process.pieces[index]) add_created(process, piece, to);
        break;
      case Op::kSingle:
        add_created(process, process.scripts[index], to);
        break;
      case Op::kTaskloop:
        add_created(process, process.taskloops[index], to);
        break;
      case Op::kRegion:
        add_created(process, process.regions[index].script, to);
        break;
      case Op::kRepeat:
        for (std::int64_t n = 0; n < process.repeats[index].times; ++n)
          add_created(process, process.repeats[index].script, to);
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::vector<const TaskText*> ProcessText::created_tasks() const {
  std::vector<const TaskText*> result;
  add_created(*this, main, result);
  return result;
}

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
  for (const ProcessText& process : processes) sum += work_of(process, process.main);
  return sum;
}

}  // namespace heddle::simulate
