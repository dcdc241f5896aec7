// On which socket of a node the data of a process lies, and how much longer who works on it from another one
// takes.
//
// Words: an address of the workload is *at home* on the socket whose thread is the first to work on it, since
// memory comes to who touches it first (Linux's default). Threads stay where they are, in the order of the
// cores.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

class DataHomes {
 public:
  /// sockets: of each worker. remote: how many times as long work takes whose data is on another socket.
  DataHomes(std::vector<int> sockets, double remote) : sockets_(std::move(sockets)), remote_(remote) {
    for (const int socket : sockets_) spans_some_ = spans_some_ || socket != sockets_.front();
  }

  /// How many times as long a task of these dependences takes this worker as with all data on its socket: by
  /// the part of their bytes that is not. What nobody has worked on comes home here.
  double slowdown(std::span<const DependenceOn> dependences, int worker) {
    if (!spans_some_) return 1;
    double here = 0, elsewhere = 0;
    for (const DependenceOn& on : dependences)
      (is_here(on.address, worker) ? here : elsewhere) += static_cast<double>(on.bytes);
    return elsewhere == 0 ? 1 : 1 + (remote_ - 1) * elsewhere / (here + elsewhere);
  }

  /// How long a share of a loop takes this worker. Units: ns.
  double time_of(const LoopText& loop, Share share, int worker) {
    if (!spans_some_ || loop.data.empty()) return loop.time_of(share);
    double sum = 0;
    loop.for_each_part(share, [&](std::size_t part, double ns) {
      sum += is_here(loop.data[part], worker) ? ns : ns * remote_;
    });
    return sum;
  }

  [[nodiscard]] int workers() const { return static_cast<int>(sockets_.size()); }
  [[nodiscard]] int socket_of(int worker) const { return sockets_[static_cast<std::size_t>(worker)]; }
  /// Whether the workers are on several.
  [[nodiscard]] bool spans_some() const { return spans_some_; }

 private:
  bool is_here(std::int64_t address, int worker) {
    const int socket = socket_of(worker);
    return homes_.try_emplace(address, socket).first->second == socket;
  }

  std::vector<int> sockets_;
  double remote_;
  bool spans_some_ = false;
  std::unordered_map<std::int64_t, int> homes_;  // sockets, by address
};

}  // namespace heddle::simulate
