// Ranks of an MPI program.
#pragma once

#include <mpi.h>

#include "exchange/communicator.hpp"
#include "heddle_mpi.h"

namespace heddle::exchange {

class MpiCommunicator final : public Communicator {
 public:
  /// What is_task_aware() asks of MPI_Init_thread(). Where the runtime has no such thing, it provides MPI's
  /// level.
  static constexpr int kTaskAware = MPI_TASK_MULTIPLE;

  /// Of duplicates of MPI_COMM_WORLD. Requires: MPI is initialised, and is finalised after this is gone.
  MpiCommunicator();
  ~MpiCommunicator() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_task_aware() const override;
  void reduce(std::span<std::int64_t> values, Reduction how) override;
  void reduce_doubles(std::span<double> values, Reduction least_or_most) override;
  [[nodiscard]] std::vector<int> gather(std::span<const int> mine) override;
  int start_receive(int rank, int tag, std::span<std::byte> into) override;
  void start_send(int rank, int tag, std::span<const std::byte> from, bool is_blocking) override;
  [[nodiscard]] int next_received() override;
  void finish_batch() override;
  [[nodiscard]] int highest_tag() const override;
  void receive_then_fulfil(int rank, int tag, std::span<std::byte> into, Event event) override;
  void send_then_fulfil(int rank, int tag, std::span<const std::byte> from, Event event) override;
  void sum_then_fulfil(std::span<std::int64_t> values, Event event) override;
  void least_then_fulfil(std::span<double> values, Event event) override;

 private:
  MPI_Comm world_ = MPI_COMM_NULL;
  MPI_Comm of_tasks_ = MPI_COMM_NULL;  // their collectives
  int rank_ = 0;
  int size_ = 1;
  std::vector<MPI_Request> receives_;
  std::vector<MPI_Request> sends_;
};

}  // namespace heddle::exchange
