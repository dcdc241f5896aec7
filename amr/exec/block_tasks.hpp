// The copies of refinements as tasks, and the blocks that change their rank as messages of tasks. Nothing is
// waited for before finish(): copies begin when those of earlier rounds and the stages that they depend on
// have ended, and later stages begin behind them. Nothing may be: the creating threads of all ranks meet in
// collective calls, and behind one of those a rank would wait for a block of another whose thread waits in
// the next.
//
// Words: B(s) stands for all that is in slot s (block_addresses.hpp), W(p, i) for the i-th buffer of what
// goes to, or comes from, partner p, the address of one datum.
//
// Dependences. A copy reads B of some slots and writes one. Block n that goes to p: a task reads B of its
// slot and writes W(p, n mod N), another sends that; block n that comes: one receives into W(p, n mod N),
// another reads that and writes B. A receive or a send is complete when MPI has done with the memory. So N
// blocks are on their way between two ranks in each direction, and a tag for each i tells them apart: the
// next one with it is sent, and expected, after the last.
//
// Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications",
// 2020, section IV-B.
#pragma once

#include <omp.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "amr/exec/block_addresses.hpp"
#include "amr/field/contiguous.hpp"
#include "amr/refine/block_work.hpp"
#include "exchange/tags.hpp"

namespace heddle::amr {

/// Requires: one thread of a parallel region calls, of which others may execute the tasks.
class BlockTasks final : public BlockWork {
 public:
  BlockTasks(ContiguousField& field, BlockAddresses addresses)
      : field_(field), addresses_(std::move(addresses)) {}
  ~BlockTasks() override { BlockTasks::finish(); }

  [[nodiscard]] int take() override {
    while (!freed_.empty() && freed_.front().second + copies_between_ <= copies_) {
      field_.release(freed_.front().first);
      freed_.pop_front();
    }
    return field_.reserve();
  }
  void give_back(int slot) override { freed_.emplace_back(slot, copies_); }

  void copy(std::span<const int> reads, int writes, std::function<void()> body) override {
    listed_.clear();
    for (const int slot : reads) addresses_.add_values(slot, listed_);
    const int count = static_cast<int>(listed_.size());
    addresses_.add_all(writes, listed_);
    const int written = static_cast<int>(listed_.size()) - count;
    [[maybe_unused]] double** listed = listed_.data();
    ++copies_;
    const auto* what = new std::function<void()>(std::move(body));
#pragma omp task default(none) firstprivate(what) shared(listed, count, written) \
    depend(iterator(int n = 0 : count), in : listed[n][0])                       \
    depend(iterator(int n = 0 : written), out : listed[count + n][0])
    {
      (*what)();
      delete what;
    }
  }

  void migrate(BlockStore& store, const BlockTree& tree, std::span<const BlockMove> moves,
               exchange::Communicator& ranks, int generation) override {
    using Partners = std::map<int, exchange::PartnerMoves>;
    exchange::for_each_wave(tree, moves, ranks.rank(), [&](const Partners& partners) {
      // What leaves makes room for what comes.
      for (const auto& [rank, pair] : partners) {
        for (int i = 0; const int leaf : pair.out) {
          const int slot = store.take(tree.leaf(leaf).number);
          spawn_send(slot, buffer(sent_, rank, i), rank, i, ranks);
          give_back(slot);
          ++i;
        }
      }
      for (const auto& [rank, pair] : partners) {
        for (int i = 0; const int leaf : pair.in) {
          const int slot = take();
          store.put(tree.leaf(leaf).number, slot);
          spawn_receive(slot, buffer(received_, rank, i), rank, i, ranks, generation);
          ++i;
        }
      }
    });
  }

  void finish() override {
#pragma omp taskwait
    for (const auto& [slot, when] : freed_) field_.release(slot);
    freed_.clear();
  }

 private:
  static_assert(exchange::kNumberedBlockTag + exchange::kBlocksAWave <= exchange::kNumberedTag);
  using Buffers = std::map<std::pair<int, int>, std::unique_ptr<double[]>>;  // by partner and number

  [[nodiscard]] std::size_t doubles() const { return BlockCarrier(field_, 0).doubles(); }

  double* buffer(Buffers& buffers, int rank, int i) {
    auto& found = buffers[{rank, i}];
    if (found == nullptr) found = std::make_unique_for_overwrite<double[]>(doubles());
    return found.get();
  }

  void spawn_send(int slot, double* memory, int rank, int i, exchange::Communicator& to) {
    listed_.clear();
    addresses_.add_values(slot, listed_);
    [[maybe_unused]] double** read = listed_.data();
    const int count = static_cast<int>(listed_.size());
    const std::span data(memory, doubles());
    ContiguousField* field = &field_;
#pragma omp task default(none) firstprivate(field, slot, data) shared(read, count, memory) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(out : memory[0])
    BlockCarrier(*field, 0).pack(slot, data);
    exchange::Communicator* ranks = &to;
    omp_event_handle_t is_sent{};
#pragma omp task firstprivate(ranks, rank, i, data) shared(memory) detach(is_sent) depend(in : memory[0])
    ranks->send_then_fulfil(rank, exchange::kNumberedBlockTag + i, std::as_bytes(data),
                            static_cast<exchange::Communicator::Event>(is_sent));
  }

  void spawn_receive(int slot, double* memory, int rank, int i, exchange::Communicator& from,
                     int generation) {
    const std::span data(memory, doubles());
    exchange::Communicator* ranks = &from;
    omp_event_handle_t is_there{};
#pragma omp task firstprivate(ranks, rank, i, data) shared(memory) detach(is_there) depend(out : memory[0])
    ranks->receive_then_fulfil(rank, exchange::kNumberedBlockTag + i, std::as_writable_bytes(data),
                               static_cast<exchange::Communicator::Event>(is_there));
    listed_.clear();
    addresses_.add_all(slot, listed_);
    [[maybe_unused]] double** written = listed_.data();
    const int count = static_cast<int>(listed_.size());
    ContiguousField* field = &field_;
#pragma omp task default(none) firstprivate(field, slot, data, generation) shared(written, count, memory) \
    depend(in : memory[0]) depend(iterator(int n = 0 : count), out : written[n][0])
    BlockCarrier(*field, generation).unpack(slot, data);
  }

  ContiguousField& field_;
  BlockAddresses addresses_;
  // What writes a slot again waits for those that read it: threads have something else to do meanwhile.
  const long long copies_between_ = 4LL * omp_get_num_threads();
  long long copies_ = 0;
  std::deque<std::pair<int, long long>> freed_;  // not to be used again yet; after so many copies
  Buffers sent_, received_;
  std::vector<double*> listed_;  // the creating thread's, read while a task is created
};

}  // namespace heddle::amr
