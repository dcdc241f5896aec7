#include "tracer/mpi/communicators.hpp"

#include <mutex>
#include <numeric>
#include <unordered_map>

namespace heddle::tracer {
namespace {

using Known = std::shared_ptr<const Communicator>;

int g_key = MPI_KEYVAL_INVALID;  // written before there are other threads that call

int forget(MPI_Comm, int, void* known, void*) {
  delete static_cast<Known*>(known);
  return MPI_SUCCESS;
}

std::vector<std::uint32_t> ranks_in_world(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> mine(static_cast<std::size_t>(size));
  std::vector<int> translated(mine.size());
  std::iota(mine.begin(), mine.end(), 0);
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, size, mine.data(), world, translated.data());
  PMPI_Group_free(&world);
  std::vector<std::uint32_t> ranks;
  ranks.reserve(mine.size());
  for (const int rank : translated) {
    ranks.push_back(rank != MPI_UNDEFINED ? static_cast<std::uint32_t>(rank) : kOutside);
  }
  return ranks;
}

// Source: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

std::uint64_t hash_of(const std::vector<std::uint32_t>& ranks) {
  std::uint64_t hash = mixed(ranks.size());
  for (const std::uint32_t rank : ranks) hash = mixed(hash + rank + 1);
  return hash;
}

// How many communicators of these members were numbered before.
std::uint64_t count_of(std::uint64_t members) {
  static auto* const counts = new std::unordered_map<std::uint64_t, std::uint64_t>;
  return (*counts)[members]++;
}

Known number(MPI_Comm comm) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  auto peers = ranks_in_world(group);
  PMPI_Group_free(&group);
  std::uint64_t members = hash_of(peers);
  if (is_inter != 0) {
    PMPI_Comm_remote_group(comm, &group);
    peers = ranks_in_world(group);
    PMPI_Group_free(&group);
    members += hash_of(peers);  // the same on both sides
  }
  const auto hash = mixed(members + mixed(count_of(members)));
  return std::make_shared<const Communicator>(
      Communicator{std::move(peers), static_cast<std::uint16_t>(hash)});
}

Known attribute(MPI_Comm comm) {
  Known* known = nullptr;
  int is_set = 0;
  PMPI_Comm_get_attr(comm, g_key, static_cast<void*>(&known), &is_set);
  return is_set != 0 ? *known : nullptr;
}

}  // namespace

void number_first_communicators() {
  // A copy of a communicator is another one, with a number of its own.
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &g_key, nullptr);
  known_communicator(MPI_COMM_WORLD);
  known_communicator(MPI_COMM_SELF);
}

std::shared_ptr<const Communicator> known_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  if (Known known = attribute(comm)) return known;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (Known known = attribute(comm)) return known;
  Known known = number(comm);
  PMPI_Comm_set_attr(comm, g_key, new Known(known));
  return known;
}

}  // namespace heddle::tracer
