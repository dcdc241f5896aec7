// A network with a latency and a bandwidth, on one machine.
//
//     SLOW_NETWORK=LATENCY[,BANDWIDTH]   in microseconds, and in MB/s (10^6 bytes); without BANDWIDTH: any
//
// A rank hands its messages to the network one after the other. A message of n bytes occupies the rank's
// link for n / bandwidth, and is there a latency later: alpha + n / beta on an idle link. What one rank sends
// arrives in the order in which it was sent. A thread of the rank holds messages back, and gives them to MPI
// when they would arrive. Of up to kSentAhead bytes a copy is held: a send in standard mode is complete at
// once, as on a network that sends small messages ahead. Larger ones stay in the program's buffer; their
// request is complete when MPI's is.
//
// A collective operation is over ceil(log2 ranks) messages later than MPI's own, counted from its last rank.
//
// Persistent requests, one-sided communication, files and Fortran's calls go at MPI's speed.
//
// The program's requests are receives of messages that the rank sends to itself when all is over: MPICH 4.0
// does not wait for generalized requests among others. 32,768 may be outstanding.
//
// Words: an errand is what the thread has to do at its time. All of its state is under one lock.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle::slow_network {

using Clock = std::chrono::steady_clock;

constexpr int kSentAhead = 16 * 1024;

/// A message, or a collective operation, as the program gave it.
struct Errand {
  enum class Mode { standard, synchronous, operation };

  Mode mode = Mode::standard;
  Clock::time_point due;  // of a message: to be given to MPI; of an operation that MPI has ended: to be over
  Clock::duration lasts{};      // an operation
  bool is_buffered = false;     // held as a copy, whatever its size
  std::vector<std::byte> copy;  // of what is sent ahead; else data, count and type are the program's
  const void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int to = 0;
  int tag = 0;
  MPI_Comm ranks = MPI_COMM_NULL;
  MPI_Request inner = MPI_REQUEST_NULL;  // MPI's own
  MPI_Request outer = MPI_REQUEST_NULL;  // the program's; null of what was sent ahead
  int outer_tag = 0;
};

class Network {
 public:
  /// Errors: ends the program where SLOW_NETWORK cannot be read.
  Network();

  [[nodiscard]] bool is_slow() const { return latency_.count() > 0 || ns_per_byte_ > 0; }

  /// Begins and ends the thread. To be called between MPI's start and end.
  void start();
  void finish();

  /// Hands a message over. request: the program's, complete when the buffer may be used again. Threads: any.
  void send(Errand errand, MPI_Request* request);

  /// Sees to it that request is complete one collective operation's time after `inner`. Threads: any.
  void hold(MPI_Request inner, MPI_Comm ranks, int bytes, MPI_Request* request);

  /// The time that an operation of these ranks takes.
  [[nodiscard]] Clock::duration operation_time(MPI_Comm ranks, int bytes) const;

 private:
  [[nodiscard]] Clock::duration link_time(int bytes) const;
  void run();
  Clock::time_point work(Clock::time_point now);
  void give_request(Errand& errand);
  void give_to_mpi(Errand& message);
  bool is_over(Errand& errand, Clock::time_point now);

  Clock::duration latency_{};
  double ns_per_byte_ = 0;

  MPI_Comm self_ = MPI_COMM_NULL;
  std::atomic<unsigned> outers_{0};

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Errand> held_;       // messages, in the order of their times
  std::vector<Errand> underway_;  // MPI has them; and operations, which MPI has from the start
  Clock::time_point link_is_free_;
  bool ends_ = false;
  std::thread thread_;
};

/// The process's.
Network& network();

}  // namespace heddle::slow_network
