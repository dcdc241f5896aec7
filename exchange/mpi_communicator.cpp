#include "exchange/mpi_communicator.hpp"

#include <cassert>

namespace heddle::exchange {
namespace {

MPI_Op operation(Reduction how) {
  switch (how) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::least:
      return MPI_MIN;
    case Reduction::most:
      break;
  }
  return MPI_MAX;
}

}  // namespace

// Errors end the program: MPI's own handler says what went wrong.
MpiCommunicator::MpiCommunicator() {
  MPI_Comm_dup(MPI_COMM_WORLD, &world_);
  MPI_Comm_dup(MPI_COMM_WORLD, &of_tasks_);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Comm_free(&of_tasks_);
  MPI_Comm_free(&world_);
}

bool MpiCommunicator::is_task_aware() const {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return size_ == 1 || level == kTaskAware;
}

void MpiCommunicator::reduce(std::span<std::int64_t> values, Reduction how) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, operation(how),
                world_);
}

void MpiCommunicator::reduce_doubles(std::span<double> values, Reduction least_or_most) {
  assert(least_or_most != Reduction::sum);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                operation(least_or_most), world_);
}

std::vector<int> MpiCommunicator::gather(std::span<const int> mine) {
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<int> counts(ranks), begins(ranks);
  const int count = static_cast<int>(mine.size());
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, world_);
  int all = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    begins[r] = all;
    all += counts[r];
  }
  std::vector<int> gathered(static_cast<std::size_t>(all));
  MPI_Allgatherv(mine.data(), count, MPI_INT, gathered.data(), counts.data(), begins.data(), MPI_INT, world_);
  return gathered;
}

int MpiCommunicator::start_receive(int rank, int tag, std::span<std::byte> into) {
  receives_.emplace_back();
  MPI_Irecv(into.data(), static_cast<int>(into.size()), MPI_BYTE, rank, tag, world_, &receives_.back());
  return static_cast<int>(receives_.size()) - 1;
}

void MpiCommunicator::start_send(int rank, int tag, std::span<const std::byte> from, bool is_blocking) {
  const int bytes = static_cast<int>(from.size());
  if (is_blocking) {
    MPI_Send(from.data(), bytes, MPI_BYTE, rank, tag, world_);
    return;
  }
  sends_.emplace_back();
  MPI_Isend(from.data(), bytes, MPI_BYTE, rank, tag, world_, &sends_.back());
}

int MpiCommunicator::next_received() {
  int index = MPI_UNDEFINED;
  MPI_Waitany(static_cast<int>(receives_.size()), receives_.data(), &index, MPI_STATUS_IGNORE);
  return index == MPI_UNDEFINED ? kNone : index;
}

void MpiCommunicator::finish_batch() {
  MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
  sends_.clear();
  receives_.clear();
}

int MpiCommunicator::highest_tag() const {
  int* highest = nullptr;
  int is_set = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&highest), &is_set);
  return is_set != 0 ? *highest : kLeastHighestTag;
}

namespace {

void complete(MPI_Request& request, Communicator::Event event) {
  if (event == Communicator::kOfTask)
    heddle_mpi_bind(&request);
  else
    heddle_mpi_detach(&request, event);
}

}  // namespace

void MpiCommunicator::receive_then_fulfil(int rank, int tag, std::span<std::byte> into, Event event) {
  MPI_Request request;
  MPI_Irecv(into.data(), static_cast<int>(into.size()), MPI_BYTE, rank, tag, world_, &request);
  complete(request, event);
}

void MpiCommunicator::send_then_fulfil(int rank, int tag, std::span<const std::byte> from, Event event) {
  MPI_Request request;
  MPI_Isend(from.data(), static_cast<int>(from.size()), MPI_BYTE, rank, tag, world_, &request);
  complete(request, event);
}

void MpiCommunicator::sum_then_fulfil(std::span<std::int64_t> values, Event event) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM,
                 of_tasks_, &request);
  complete(request, event);
}

void MpiCommunicator::least_then_fulfil(std::span<double> values, Event event) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MIN, of_tasks_,
                 &request);
  complete(request, event);
}

}  // namespace heddle::exchange
