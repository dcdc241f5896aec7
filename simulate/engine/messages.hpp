// Messages between processes: which send meets which receive, and when the two are complete.
//
// Of one sender, receiver and channel the k-th send meets the k-th receive (MPI 4.0, section 3.5). Up to the
// eager limit a send is complete at once, and its data leave at once; beyond, they leave when both are
// posted. MPI makes progress at any time. Within a node a message takes what was measured of shared memory,
// between nodes what the network says. A collective operation ends for all, when the last process has come to
// it, after as many steps as a tree of the processes is deep (Costs::latency, or the network's, and
// Costs::receive each).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "simulate/engine/event.hpp"
#include "simulate/engine/outcome.hpp"
#include "simulate/engine/setting.hpp"
#include "simulate/network/network.hpp"
#include "simulate/time/clock.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

struct SimulatedTask;
struct SimulatedWorker;
struct Posting;

class MessageOwner {
 public:
  virtual void message_done(Posting& posting) = 0;

 protected:
  ~MessageOwner() = default;
};

/// A message that a process has posted.
struct Posting {
  MessageOwner& owner;
  int worker = 0;  // of its process, that has posted it
  Time posted_at = 0;
  bool is_complete = false;
  SimulatedWorker* waiter = nullptr;  // stands in MPI for it
  SimulatedTask* bound = nullptr;     // completes with it
};
using PostingHandle = std::shared_ptr<Posting>;

class Messages {
 public:
  /// timeline: null where nobody wants it.
  Messages(int processes, const Setting& setting, Agenda<Event>& agenda, Timeline* timeline);

  void post(int process, const MessageText& text, PostingHandle posting);

  void arrived(std::uint64_t number);
  void end_collective(std::uint64_t number);

  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Flow {
    PostingHandle send, receive;
    int from, to;
    std::int64_t bytes;
    bool has_arrived = false;
  };
  struct Channel {
    std::deque<std::uint64_t> sends;  // flows
    std::deque<PostingHandle> receives;
  };

  [[nodiscard]] bool is_eager(const Flow& flow) const;
  void join(int process, PostingHandle posting);
  void send(int process, const MessageText& text, PostingHandle posting);
  void receive(int process, const MessageText& text, PostingHandle posting);
  void meet(std::uint64_t number, PostingHandle receive);
  void leave(std::uint64_t number);
  // Both ends are complete.
  void end(std::uint64_t number);
  static void complete(const PostingHandle& posting);

  const MessageCosts costs_;
  const int processes_, nodes_;
  Network* const network_;
  Agenda<Event>& agenda_;
  Timeline* const timeline_;                        // or null
  std::map<std::array<int, 3>, Channel> channels_;  // by sender, receiver, number
  std::vector<Flow> flows_;
  std::vector<std::uint64_t> free_;                           // flows
  std::vector<std::uint64_t> joined_;                         // collective operations, by process
  std::map<std::uint64_t, std::vector<PostingHandle>> open_;  // collective operations
  std::uint64_t sent_ = 0, bytes_ = 0;
};

}  // namespace heddle::simulate
