#include "simulate/network/queued_links.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>

namespace heddle::simulate {

const QueuedLinks::Route& QueuedLinks::route(int from, int to) {
  const auto [found, is_new] = routes_.try_emplace(std::int64_t{from} * platform_.nodes() + to);
  Route& route = found->second;
  if (!is_new) return route;
  const Platform::Route it = platform_.route(from, to);
  route.latency = it.latency;
  for (const simgrid::s4u::Link* const link : it.links) {
    const bool is_queue = link->get_sharing_policy() != simgrid::s4u::Link::SharingPolicy::FATPIPE;
    route.links.push_back(
        &links_.try_emplace(link, Link{kPsInS / link->get_bandwidth(), is_queue}).first->second);
  }
  return route;
}

void QueuedLinks::send(int from, int to, std::int64_t bytes, std::uint64_t number) {
  const Message message{&route(from, to), bytes, number};
  if (message.route->links.empty())
    under_way_.plan(SimulatedClock::present + message.route->latency, message);
  else
    come(message);
}

void QueuedLinks::come(Message message) {
  Link& link = *message.route->links[message.hop++];
  const Time now = SimulatedClock::present;
  const Time begin = link.is_queue ? std::max(now, link.free_at) : now;
  const auto takes = static_cast<Time>(link.ps_a_byte * static_cast<double>(message.bytes) + 0.5);
  link.free_at = begin + takes;
  link.used += takes;
  message.ends = std::max(message.ends, link.free_at);
  const bool is_last = message.hop == message.route->links.size();
  under_way_.plan(is_last ? message.ends + message.route->latency : begin, message);
}

Time QueuedLinks::busiest_link() const {
  Time most = 0;
  for (const auto& [name, link] : links_)
    if (link.is_queue) most = std::max(most, link.used);
  return most;
}

void QueuedLinks::run(Planned& planned) {
  for (auto& [name, link] : links_) link.free_at = link.used = 0;
  for (;;) {
    if (under_way_.is_empty() || (!planned.is_empty() && planned.next() <= under_way_.next_at())) {
      if (planned.is_empty()) return;
      planned.happen();
      continue;
    }
    const Message message = under_way_.next();
    if (message.hop < message.route->links.size())
      come(message);
    else
      planned.arrived(message.number);
  }
}

}  // namespace heddle::simulate
