// A cluster that a platform file of SimGrid's describes: its hosts are the nodes, its links the network.
//
// What SimGrid says of a message depends on all that are under way: they share the links. Its model is CM02,
// without factors: a message takes the latency of its route, and its bytes at what the links have for it.
// Source: SimGrid's manual, "Platform description" and "Network models".
#pragma once

#include <memory>
#include <string>

#include "simulate/network/network.hpp"

namespace heddle::simulate {

class ClusterImplementation;

/// One in a process at a time.
class Cluster final : public Network {
 public:
  /// Errors: throws UserError where the file cannot be read or describes no host.
  explicit Cluster(const std::string& platform_file);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() override;

  [[nodiscard]] int nodes() const;
  /// Of the node that has fewest.
  [[nodiscard]] int cores() const;

  void send(int from, int to, std::int64_t bytes, std::uint64_t number) override;
  [[nodiscard]] Time latency(int from, int to) const override;
  void run(Planned& planned) override;

 private:
  std::unique_ptr<ClusterImplementation> it_;
};

}  // namespace heddle::simulate
