#include "simulate/workload/workload.hpp"

namespace heddle::simulate {
namespace {

// Calls visit(script, times) for each script that a step has executed, by whomever.
template <class Visit>
void for_each_script(const ProcessText& process, const Step& step, Visit&& visit) {
  const auto index = static_cast<std::size_t>(step.value);
  switch (step.op) {
    case Op::kCreate:
      visit(process.tasks[index].script, 1);
      break;
    case Op::kPieces:
      for (const Script& piece : process.pieces[index]) visit(piece, 1);
      break;
    case Op::kSingle:
      visit(process.scripts[index], 1);
      break;
    case Op::kTaskloop:
      visit(process.taskloops[index], 1);
      break;
    case Op::kRegion:
      visit(process.regions[index].script, 1);
      break;
    case Op::kRepeat:
      visit(process.repeats[index].script, process.repeats[index].times);
      break;
    default:
      break;
  }
}

// What a script does and has others do.
double work_of(const ProcessText& process, const Script& script) {
  double sum = 0;
  for (const Step& step : script) {
    if (step.op == Op::kWork) sum += static_cast<double>(step.value);
    if (step.op == Op::kLoop) sum += process.loops[static_cast<std::size_t>(step.value)].time_of({0, 1});
    for_each_script(process, step, [&](const Script& inner, std::int64_t times) {
      sum += static_cast<double>(times) * work_of(process, inner);
    });
  }
  return sum;
}

void add_created(const ProcessText& process, const Script& script, std::vector<const TaskText*>& to) {
  for (const Step& step : script) {
    if (step.op == Op::kCreate) to.push_back(&process.tasks[static_cast<std::size_t>(step.value)]);
    for_each_script(process, step, [&](const Script& inner, std::int64_t times) {
      for (std::int64_t n = 0; n < times; ++n) add_created(process, inner, to);
    });
  }
}

}  // namespace

std::vector<const TaskText*> ProcessText::created_tasks() const {
  std::vector<const TaskText*> result;
  add_created(*this, main, result);
  return result;
}

double LoopText::time_of(Share share) const {
  double sum = 0;
  for_each_part(share, [&](std::size_t /*part*/, double ns) { sum += ns; });
  return sum;
}

double Workload::work() const {
  double sum = 0;
  for (const ProcessText& process : processes) sum += work_of(process, process.main);
  return sum;
}

}  // namespace heddle::simulate
