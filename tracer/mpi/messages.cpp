#include "tracer/mpi/messages.hpp"

#include "tracer/event_file.hpp"

namespace heddle::tracer {
namespace {

constexpr std::uint32_t kAnyRank = ~std::uint32_t{0};
constexpr std::uint64_t kAnyTag = ~std::uint64_t{0};

std::uint64_t bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL) return 0;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size) : 0;
}

}  // namespace

Envelope envelope_of_send(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (to == MPI_PROC_NULL) return {nullptr, to, tag, 0};
  return {known_communicator(comm), to, tag, bytes_of(count, type)};
}

Envelope envelope_of_receive(int from, int tag, MPI_Comm comm) {
  return {from != MPI_PROC_NULL ? known_communicator(comm) : nullptr, from, tag, 0};
}

void tell_sent(const Envelope& it) {
  if (it.where == nullptr) return;
  const auto to = it.where->world_rank(it.peer);
  if (!to) return;
  record(Kind::message_sent, it.where->number, *to, it.bytes, static_cast<std::uint64_t>(it.tag));
}

OpenReceive tell_posted(const Envelope& it) {
  if (it.where == nullptr) return {};
  const auto from = it.peer == MPI_ANY_SOURCE ? kAnyRank : it.where->world_rank(it.peer);
  if (!from) return {};
  const std::uint64_t number = next_number();
  const std::uint64_t tag = it.tag == MPI_ANY_TAG ? kAnyTag : static_cast<std::uint64_t>(it.tag);
  record(Kind::receive_posted, it.where->number, *from, number, tag);
  return {number, 0, it.where};
}

void tell_received(const OpenReceive& receive, const MPI_Status& status) {
  if (receive.number == 0) return;
  int is_cancelled = 0;
  PMPI_Test_cancelled(&status, &is_cancelled);
  const auto from = receive.where->world_rank(status.MPI_SOURCE);
  if (is_cancelled != 0 || !from) return;
  // As bytes: the program may have freed the type meanwhile.
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  const std::uint64_t now = ticks();
  record(Kind::message_received, receive.where->number, *from, receive.number,
         static_cast<std::uint64_t>(status.MPI_TAG), now);
  record(Kind::received_bytes, 0, 0, receive.number, bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0, now);
}

}  // namespace heddle::tracer
