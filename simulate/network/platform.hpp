// A cluster as a platform file of SimGrid's describes it: its hosts are the nodes, its links the network.
//
// Source: SimGrid's manual, "Platform description".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulate/time/clock.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace heddle::simulate {

class Platform {
 public:
  /// From one node to another.
  struct Route {
    std::vector<const simgrid::s4u::Link*> links;
    Time latency;
  };

  /// One in a process at a time. Errors: throws UserError where the file cannot be read or describes no host.
  explicit Platform(const std::string& file);
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;
  ~Platform();

  [[nodiscard]] int nodes() const { return static_cast<int>(hosts_.size()); }
  /// Of the node that has fewest.
  [[nodiscard]] int cores() const;
  [[nodiscard]] Route route(int from, int to) const;

  [[nodiscard]] simgrid::s4u::Engine& engine() const { return *engine_; }
  [[nodiscard]] simgrid::s4u::Host* host(int node) const { return hosts_[static_cast<std::size_t>(node)]; }

 private:
  std::unique_ptr<simgrid::s4u::Engine> engine_;
  std::vector<simgrid::s4u::Host*> hosts_;  // node-2 before node-10
};

}  // namespace heddle::simulate
