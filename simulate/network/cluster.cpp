#include "simulate/network/cluster.hpp"

#include <simgrid/Exception.hpp>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <utility>
#include <vector>

#include "program/user_error.hpp"

namespace heddle::simulate {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::timer::Timer;

constexpr double kPsInS = 1e12;

// node-2 before node-10.
bool comes_before(const s4u::Host* one, const s4u::Host* other) {
  const std::string &a = one->get_name(), &b = other->get_name();
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::unique_ptr<s4u::Engine> engine() {
  // What has been configured is told otherwise.
  std::vector<std::string> words{"heddle-simulate", "--log=root.thresh:critical",
                                 "--log=xbt_cfg.thresh:warning"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(words.size());
  auto result = std::make_unique<s4u::Engine>(&count, arguments.data());
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("contexts/stack-size:64");  // KiB
  return result;
}

}  // namespace

// Messages are carried by actors of SimGrid's that wait for one and stay until it has arrived. What is
// planned beside the network happens in a timer that stands at its next time.
class ClusterImplementation {
 public:
  explicit ClusterImplementation(const std::string& platform_file) : engine_(engine()) {
    if (std::FILE* const file = std::fopen(platform_file.c_str(), "r")) {
      std::fclose(file);
    } else {
      throw program::UserError(platform_file + " cannot be read; give a platform file of SimGrid's");
    }
    try {
      engine_->load_platform(platform_file);
    } catch (const simgrid::Exception& error) {
      throw program::UserError(platform_file + " is no platform file of SimGrid's: " + error.what());
    }
    hosts_ = engine_->get_all_hosts();
    if (hosts_.empty()) throw program::UserError(platform_file + " describes no host");
    std::sort(hosts_.begin(), hosts_.end(), comes_before);
  }

  [[nodiscard]] const std::vector<s4u::Host*>& hosts() const { return hosts_; }
  [[nodiscard]] s4u::Host* host(int node) const { return hosts_[static_cast<std::size_t>(node)]; }

  void send(int from, int to, std::int64_t bytes, std::uint64_t number) {
    ++under_way_;
    letters_.push_back({from, to, static_cast<double>(bytes), number});
    if (letters_.size() > idle_) {
      ++idle_;
      ++carriers_;
      s4u::Actor::create("carrier", hosts_.front(), [this] { carry(); });
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
    s4u::Actor::create("keeper", hosts_.front(), [this] { over_->acquire(); });
    arm();
    engine_->run();
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
      s4u::Comm::sendto(host(letter.from), host(letter.to), static_cast<std::uint64_t>(letter.bytes));
      ++idle_;
      --under_way_;
      const auto now = static_cast<Time>(std::llround((s4u::Engine::get_clock() - began_) * kPsInS));
      SimulatedClock::present = std::max(SimulatedClock::present, now);
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

  const std::unique_ptr<s4u::Engine> engine_;
  std::vector<s4u::Host*> hosts_;
  Planned* planned_ = nullptr;
  s4u::SemaphorePtr wanted_, over_;
  std::deque<Letter> letters_;  // that nobody carries
  std::size_t carriers_ = 0, idle_ = 0, under_way_ = 0;
  bool is_over_ = false;
  double began_ = 0;  // s
  Timer* timer_ = nullptr;
  Time armed_ = 0;
};

Cluster::Cluster(const std::string& platform_file)
    : it_(std::make_unique<ClusterImplementation>(platform_file)) {}

Cluster::~Cluster() = default;

int Cluster::nodes() const {
  return static_cast<int>(it_->hosts().size());
}

int Cluster::cores() const {
  const auto fewest =
      std::ranges::min_element(it_->hosts(), {}, [](auto* host) { return host->get_core_count(); });
  return (*fewest)->get_core_count();
}

void Cluster::send(int from, int to, std::int64_t bytes, std::uint64_t number) {
  it_->send(from, to, bytes, number);
}

Time Cluster::latency(int from, int to) const {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  it_->host(from)->route_to(it_->host(to), links, &latency_s);
  return static_cast<Time>(std::llround(latency_s * kPsInS));
}

void Cluster::run(Planned& planned) {
  it_->run(planned);
}

}  // namespace heddle::simulate
