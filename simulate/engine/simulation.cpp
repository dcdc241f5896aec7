#include "simulate/engine/simulation.hpp"

#include "program/user_error.hpp"
#include "simulate/engine/process.hpp"
#include "simulate/time/clock.hpp"

namespace heddle::simulate {

Outcome simulate(const Workload& workload, const Setting& setting) {
  SimulatedClock::present = 0;
  Agenda<int> agenda;
  Process process(workload, setting, agenda);
  process.start();
  while (!agenda.is_empty()) process.step(agenda.next());
  if (!process.is_over())
    throw program::UserError(
        "the workload does not end: tasks wait for each other in a ring, or for a lock that is never given "
        "back");
  Outcome outcome = process.outcome();
  outcome.events = agenda.happened();
  return outcome;
}

}  // namespace heddle::simulate
