#include "simulate/engine/simulation.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "program/user_error.hpp"
#include "simulate/engine/messages.hpp"
#include "simulate/engine/process.hpp"
#include "simulate/time/clock.hpp"

namespace heddle::simulate {
namespace {

class Simulation final : public Planned {
 public:
  Simulation(const Workload& workload, const Setting& setting)
      : messages_(static_cast<int>(workload.processes.size()), setting, agenda_,
                  setting.has_timeline ? &timeline_ : nullptr) {
    const World world{workload, setting, agenda_, messages_};
    for (int i = 0; i < static_cast<int>(workload.processes.size()); ++i)
      processes_.push_back(std::make_unique<Process>(world, i, setting.has_timeline ? &timeline_ : nullptr));
  }

  Outcome execute(Network* network) {
    SimulatedClock::present = 0;
    for (const auto& process : processes_) process->start();
    if (network != nullptr) {
      network->run(*this);
    } else {
      while (!agenda_.is_empty()) happen();
    }
    Outcome result = outcome();
    if (network != nullptr) result.busiest_link = to_ns(network->busiest_link());
    return result;
  }

 private:
  [[nodiscard]] bool is_empty() const override { return agenda_.is_empty(); }
  [[nodiscard]] Time next() const override { return agenda_.next_at(); }
  void happen() override {
    const Event event = agenda_.next();
    switch (event.what) {
      case Event::What::kWorker:
        return processes_[static_cast<std::size_t>(event.process)]->step(event.worker);
      case Event::What::kLook:
        return processes_[static_cast<std::size_t>(event.process)]->look_again(
            event.worker, static_cast<Time>(event.number));
      case Event::What::kArrival:
        return messages_.arrived(event.number);
      case Event::What::kCollective:
        return messages_.end_collective(event.number);
    }
  }
  void arrived(std::uint64_t number) override {
    agenda_.plan(SimulatedClock::present, {Event::What::kArrival, 0, 0, number});
  }

  Outcome outcome() {
    Outcome result;
    for (const auto& process : processes_) {
      if (!process->is_over())
        throw program::UserError(
            "the workload does not end: tasks wait for each other in a ring, or for a lock that is never "
            "given back, or for a message that nobody sends");
      result.duration = std::max(result.duration, to_ns(process->ended_at()));
    }
    for (const auto& process : processes_) process->tell(result);
    for (WorkerTimes& worker : result.workers) worker.idle = result.duration - worker.work - worker.overhead;
    result.events = agenda_.happened();
    result.messages = messages_.sent();
    result.bytes = messages_.bytes();
    result.timeline = std::move(timeline_);
    return result;
  }

  Agenda<Event> agenda_;
  Timeline timeline_;  // where it is wanted
  Messages messages_;
  std::vector<std::unique_ptr<Process>> processes_;
};

}  // namespace

Outcome simulate(const Workload& workload, const Setting& setting) {
  return Simulation(workload, setting).execute(setting.network);
}

}  // namespace heddle::simulate
