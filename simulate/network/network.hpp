// What lies between the nodes of a cluster, and the time that passes there.
#pragma once

#include <cstdint>

#include "simulate/time/clock.hpp"

namespace heddle::simulate {

/// What happens beside the network, in the order of time.
class Planned {
 public:
  Planned() = default;
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;
  virtual ~Planned() = default;

  [[nodiscard]] virtual bool is_empty() const = 0;
  /// When the first happens. Requires: not empty.
  [[nodiscard]] virtual Time next() const = 0;
  /// The first happens, which may send messages and plan more. Requires: not empty.
  virtual void happen() = 0;
  /// A message is there now: plans what follows, and does nothing else.
  virtual void arrived(std::uint64_t number) = 0;
};

class Network {
 public:
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  /// A message leaves now. from, to: nodes, different ones. number: what Planned::arrived() is told.
  virtual void send(int from, int to, std::int64_t bytes, std::uint64_t number) = 0;
  /// Of an empty message.
  [[nodiscard]] virtual Time latency(int from, int to) const = 0;
  /// How long the link would take, one byte after the other, over which most has gone since time was 0; of
  /// those that do not serve all at once.
  [[nodiscard]] virtual Time busiest_link() const = 0;
  /// Has time pass, from 0, until nothing is planned and no message is under way.
  virtual void run(Planned& planned) = 0;
};

}  // namespace heddle::simulate
