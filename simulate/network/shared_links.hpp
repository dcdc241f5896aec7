// A network whose messages share their links, as SimGrid's do: each has a part of a link's bandwidth, and
// what SimGrid says of one depends on all that are under way. Exact, and slow where many are: 5 us a message
// for one on each node's link, 115 for 48 on each of 16.
//
// Source: SimGrid's manual, "Network models".
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "simulate/network/network.hpp"
#include "simulate/network/platform.hpp"

namespace heddle::simulate {

class SharedLinks final : public Network {
 public:
  explicit SharedLinks(const Platform& platform);
  SharedLinks(const SharedLinks&) = delete;
  SharedLinks& operator=(const SharedLinks&) = delete;
  ~SharedLinks() override;

  void send(int from, int to, std::int64_t bytes, std::uint64_t number) override;
  [[nodiscard]] Time latency(int from, int to) const override { return platform_.route(from, to).latency; }
  [[nodiscard]] Time busiest_link() const override;
  void run(Planned& planned) override;

 private:
  class Carriers;
  const Platform& platform_;
  std::unique_ptr<Carriers> it_;
  std::unordered_map<const simgrid::s4u::Link*, double> used_;  // s
};

}  // namespace heddle::simulate
