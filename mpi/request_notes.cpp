#include "mpi/request_notes.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "heddle.h"

namespace heddle::mpi {
namespace {

// A handle is a number or an address, as the MPI has it.
std::size_t key_of(MPI_Request request) {
  std::size_t key = 0;
  static_assert(sizeof request <= sizeof key);
  std::memcpy(&key, &request, sizeof request);
  return key;
}

struct Notes {
  std::mutex lock;
  std::unordered_map<std::size_t, RequestNote> of;  // requests by key_of()
};
Notes& notes() {
  static auto* const instance = new Notes;
  return *instance;
}

std::string name_of(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return length > 0 ? std::string(name.data()) : "a communicator without a name";
}

// Where a communicator has other numbers than the world.
std::string in_world(MPI_Comm comm, int peer) {
  int is_inter = 0, in_world = MPI_UNDEFINED;
  PMPI_Comm_test_inter(comm, &is_inter);
  MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  if (is_inter != 0)
    PMPI_Comm_remote_group(comm, &group);
  else
    PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &peer, world, &in_world);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  if (in_world == MPI_UNDEFINED || (in_world == peer && is_inter == 0)) return {};
  return " (" + std::to_string(in_world) + " of MPI_COMM_WORLD)";
}

std::string in_words(const Operation& it) {
  std::string words = it.operation;
  if (it.peer != Operation::kNobody) {
    int size = 0;
    PMPI_Type_size(it.type, &size);
    words += " of " + std::to_string(static_cast<long long>(size) * it.count) + " bytes " + it.towards;
    words += it.peer == MPI_ANY_SOURCE ? " any rank"
                                       : " rank " + std::to_string(it.peer) + in_world(it.comm, it.peer);
    words += it.tag == MPI_ANY_TAG ? ", any tag" : ", tag " + std::to_string(it.tag);
  }
  return words + ", in " + name_of(it.comm);
}

}  // namespace

bool is_watched() {
  static const bool is = [] {
    const char* const patience = std::getenv("HEDDLE_WATCHDOG");
    return patience != nullptr && std::strtod(patience, nullptr) > 0;
  }();
  return is;
}

std::string RequestNote::in_words() const {
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - since;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<char, 64> end{};
  std::snprintf(end.data(), end.size(), ", for %.3g s; this is rank %d", age.count(), rank);
  return what + end.data();
}

void note_watched(MPI_Request request, const Operation& operation) {
  RequestNote note{in_words(operation), nullptr, std::chrono::steady_clock::now()};
  const std::lock_guard guard(notes().lock);
  notes().of.insert_or_assign(key_of(request), std::move(note));
}

std::unique_ptr<RequestNote> take_note(MPI_Request request) {
  if (!is_watched()) return nullptr;
  const void* const task = heddle_current_task != nullptr ? heddle_current_task() : nullptr;
  const std::lock_guard guard(notes().lock);
  auto node = notes().of.extract(key_of(request));
  auto note = node.empty() ? std::make_unique<RequestNote>("a request of unknown origin", nullptr,
                                                           std::chrono::steady_clock::now())
                           : std::make_unique<RequestNote>(std::move(node.mapped()));
  note->task = task;
  return note;
}

}  // namespace heddle::mpi
