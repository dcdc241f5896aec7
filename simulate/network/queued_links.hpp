// A network whose links serve one message after another, in the order in which they were sent, as fast as
// they can. For many messages at once: each costs about the same, however many are under way.
//
// A message comes to the next link of its route when the one before begins with it, and is there a latency
// after the last has ended. Links that SimGrid calls fat pipes serve all at once.
#pragma once

#include <unordered_map>
#include <vector>

#include "simulate/network/network.hpp"
#include "simulate/network/platform.hpp"

namespace heddle::simulate {

class QueuedLinks final : public Network {
 public:
  explicit QueuedLinks(const Platform& platform) : platform_(platform) {}

  void send(int from, int to, std::int64_t bytes, std::uint64_t number) override;
  [[nodiscard]] Time latency(int from, int to) const override { return platform_.route(from, to).latency; }
  [[nodiscard]] Time busiest_link() const override;
  void run(Planned& planned) override;

 private:
  struct Link {
    double ps_a_byte;
    bool is_queue;
    Time free_at = 0;
    Time used = 0;
  };
  struct Route {
    std::vector<Link*> links;
    Time latency;
  };
  struct Message {
    const Route* route;
    std::int64_t bytes;
    std::uint64_t number;
    std::size_t hop = 0;  // the link that it comes to
    Time ends = 0;        // on the links that it has come to
  };
  const Route& route(int from, int to);
  void come(Message message);

  const Platform& platform_;
  std::unordered_map<const simgrid::s4u::Link*, Link> links_;
  std::unordered_map<std::int64_t, Route> routes_;  // by both nodes
  Agenda<Message> under_way_;
};

}  // namespace heddle::simulate
