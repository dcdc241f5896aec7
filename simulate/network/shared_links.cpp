#include "simulate/network/shared_links.hpp"

#include <simgrid/version.h>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <deque>
#include <functional>

namespace heddle::simulate {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

void start_actor(const char* name, s4u::Host* host, const std::function<void()>& code) {
#if SIMGRID_VERSION >= 40100
  host->add_actor(name, code);
#elif SIMGRID_VERSION_MAJOR >= 4
  s4u::Engine::add_actor(name, host, code);
#else
  s4u::Actor::create(name, host, code);
#endif
}

}  // namespace

// Messages are carried by actors of SimGrid's that wait for one and stay until it has arrived. What is
// planned beside the network happens in a timer that stands at its next time.
class SharedLinks::Carriers {
 public:
  explicit Carriers(const Platform& platform) : platform_(platform) {}

  void send(int from, int to, std::int64_t bytes, std::uint64_t number) {
    ++under_way_;
    letters_.push_back({from, to, static_cast<double>(bytes), number});
    if (letters_.size() > idle_) {
      ++idle_;
      ++carriers_;
      start_actor("carrier", platform_.host(0), [this] { carry(); });
    }
    wanted_->release();
  }

  void run(Planned& planned) {
    planned_ = &planned;
    wanted_ = s4u::Semaphore::create(0);
    over_ = s4u::Semaphore::create(0);
    began_ = s4u::Engine::get_clock();
    carriers_ = idle_ = under_way_ = 0;
    is_over_ = false;
    // SimGrid's time passes as long as there is somebody.
    start_actor("keeper", platform_.host(0), [this] { over_->acquire(); });
    arm();
    platform_.engine().run();
  }

 private:
  struct Letter {
    int from, to;
    double bytes;
    std::uint64_t number;
  };

  void carry() {
    for (;;) {
      wanted_->acquire();
      if (is_over_) return;
      const Letter letter = letters_.front();
      letters_.pop_front();
      --idle_;
      s4u::Comm::sendto(platform_.host(letter.from), platform_.host(letter.to),
                        static_cast<std::uint64_t>(letter.bytes));
      ++idle_;
      --under_way_;
      SimulatedClock::present = std::max(SimulatedClock::present, from_s(s4u::Engine::get_clock() - began_));
      planned_->arrived(letter.number);
      arm();
    }
  }

  // The timer stands at the next time that something is planned for.
  void arm() {
    if (planned_->is_empty()) {
      if (timer_ == nullptr && under_way_ == 0) end();
      return;
    }
    const Time next = planned_->next();
    if (timer_ != nullptr) {
      if (armed_ <= next) return;
      timer_->remove();
    }
    armed_ = next;
    const double at = std::max(began_ + static_cast<double>(next) / kPsInS, s4u::Engine::get_clock());
    timer_ = Timer::set(at, [this] { ring(); });
  }

  void ring() {
    timer_ = nullptr;
    const Time now = armed_;
    while (!planned_->is_empty() && planned_->next() <= now) planned_->happen();
    arm();
  }

  void end() {
    is_over_ = true;
    for (std::size_t i = 0; i < carriers_; ++i) wanted_->release();
    over_->release();
  }

  const Platform& platform_;
  Planned* planned_ = nullptr;
  s4u::SemaphorePtr wanted_, over_;
  std::deque<Letter> letters_;  // that nobody carries
  std::size_t carriers_ = 0, idle_ = 0, under_way_ = 0;
  bool is_over_ = false;
  double began_ = 0;  // s
  Timer* timer_ = nullptr;
  Time armed_ = 0;
};

SharedLinks::SharedLinks(const Platform& platform)
    : platform_(platform), it_(std::make_unique<Carriers>(platform)) {
  s4u::Engine::set_config("contexts/stack-size:64");  // KiB, of each carrier
}

SharedLinks::~SharedLinks() = default;

void SharedLinks::send(int from, int to, std::int64_t bytes, std::uint64_t number) {
  for (const s4u::Link* const link : platform_.route(from, to).links)
    if (link->get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE)
      used_[link] += static_cast<double>(bytes) / link->get_bandwidth();
  it_->send(from, to, bytes, number);
}

Time SharedLinks::busiest_link() const {
  double most = 0;
  for (const auto& [link, seconds] : used_) most = std::max(most, seconds);
  return static_cast<Time>(most * kPsInS);
}

void SharedLinks::run(Planned& planned) {
  used_.clear();
  it_->run(planned);
}

}  // namespace heddle::simulate
