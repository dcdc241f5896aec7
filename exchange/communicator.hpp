// How ranks talk to each other: what an adaptive application needs of MPI, and no more.
//
// Words: a *batch* is the receives and sends that were started and not yet waited for; there is one at a
// time.
//
// Invariant: collective calls are made by every rank, in the same order. Messages between two ranks with one
// tag arrive in the order in which they were sent. Threads: one at a time, but for what fulfils events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::exchange {

enum class Reduction { sum, least, most };

class Communicator {
 public:
  /// What MPI promises (MPI 4.0, section 9.1.2).
  static constexpr int kLeastHighestTag = 32767;

  /// No message of the batch is left.
  static constexpr int kNone = -1;

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Whether a thread that waits for other ranks, here, executes tasks meanwhile.
  [[nodiscard]] virtual bool is_task_aware() const = 0;

  // -- collective

  /// Every value becomes that of all ranks together. Sums of doubles depend on the order: none is offered.
  virtual void reduce(std::span<std::int64_t> values, Reduction how) = 0;
  virtual void reduce_doubles(std::span<double> values, Reduction least_or_most) = 0;
  /// All ranks' values, one rank after the other.
  [[nodiscard]] virtual std::vector<int> gather(std::span<const int> mine) = 0;

  // -- messages

  /// Memory stays the caller's, and untouched, until the batch says that the message is there. Returns the
  /// receive's number, counted from 0 in each batch.
  virtual int start_receive(int rank, int tag, std::span<std::byte> into) = 0;
  /// is_blocking: returns when the memory may be used again.
  virtual void start_send(int rank, int tag, std::span<const std::byte> from, bool is_blocking = false) = 0;
  /// Waits for a receive of the batch that was not returned yet; kNone where there is none.
  [[nodiscard]] virtual int next_received() = 0;
  /// Waits for the sends; the batch has ended. Requires: next_received() has returned kNone.
  virtual void finish_batch() = 0;

  // -- messages of tasks: no part of the batch

  /// The highest tag that a message may have.
  [[nodiscard]] virtual int highest_tag() const = 0;

  /// An omp_event_handle_t of the calling task's detach clause: fulfilled when MPI has done with the memory.
  /// Or kOfTask: the calling task, which has no such clause, is complete no sooner (libheddle alone).
  /// Threads: any, as MPI allows (MPI_THREAD_MULTIPLE).
  using Event = std::uintptr_t;
  static constexpr Event kOfTask = 0;
  virtual void receive_then_fulfil(int rank, int tag, std::span<std::byte> into, Event event) = 0;
  virtual void send_then_fulfil(int rank, int tag, std::span<const std::byte> from, Event event) = 0;
  /// Collective, in the same order on every rank, though not among those above. Every value becomes the sum.
  virtual void sum_then_fulfil(std::span<std::int64_t> values, Event event) = 0;
  /// The same with the least value.
  virtual void least_then_fulfil(std::span<double> values, Event event) = 0;

  // -- the same for one value

  [[nodiscard]] std::int64_t sum(std::int64_t value) {
    reduce({&value, 1}, Reduction::sum);
    return value;
  }
  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t sum_of_bits(std::uint64_t value) {
    std::array<std::int64_t, 2> halves{static_cast<std::int64_t>(value & UINT32_MAX),
                                       static_cast<std::int64_t>(value >> 32)};
    reduce(halves, Reduction::sum);
    return static_cast<std::uint64_t>(halves[0]) + (static_cast<std::uint64_t>(halves[1]) << 32);
  }
  [[nodiscard]] std::int64_t most(std::int64_t value) {
    reduce({&value, 1}, Reduction::most);
    return value;
  }
  [[nodiscard]] bool any(bool value) { return most(value ? 1 : 0) != 0; }
};

/// A process by itself.
class SerialCommunicator final : public Communicator {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] bool is_task_aware() const override { return true; }  // it never waits
  void reduce(std::span<std::int64_t> /*values*/, Reduction /*how*/) override {}
  void reduce_doubles(std::span<double> /*values*/, Reduction /*least_or_most*/) override {}
  [[nodiscard]] std::vector<int> gather(std::span<const int> mine) override {
    return {mine.begin(), mine.end()};
  }
  int start_receive(int /*rank*/, int /*tag*/, std::span<std::byte> /*into*/) override { return kNone; }
  void start_send(int /*rank*/, int /*tag*/, std::span<const std::byte> /*from*/,
                  bool /*is_blocking*/) override {}
  // Nobody is there to whom a task could talk.
  [[nodiscard]] int highest_tag() const override { return kLeastHighestTag; }
  void receive_then_fulfil(int /*rank*/, int /*tag*/, std::span<std::byte> /*into*/,
                           Event /*event*/) override {}
  void send_then_fulfil(int /*rank*/, int /*tag*/, std::span<const std::byte> /*from*/,
                        Event /*event*/) override {}
  void sum_then_fulfil(std::span<std::int64_t> /*values*/, Event /*event*/) override {}
  void least_then_fulfil(std::span<double> /*values*/, Event /*event*/) override {}
  [[nodiscard]] int next_received() override { return kNone; }
  void finish_batch() override {}
};

}  // namespace heddle::exchange
