// heddle-amr's serial and loop variants (amr/exec/loops.hpp, amr/halo/rank_exchange.hpp,
// exchange/migration.hpp): one thread talks to other ranks, between the phases. And the order of the
// reference's program.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "exchange/migration.hpp"
#include "simulate/generate/amr_variant.hpp"

namespace heddle::simulate {
namespace {

// Pieces of work, each on a block's data; the i-th takes ns_of(i).
struct Pieces {
  AmrKind kind;
  std::vector<int> slots;
  std::function<double(std::size_t)> ns_of;
};
// Adds to a script what is done of them.
using Phase = std::function<void(ProcessText& text, Script& script, const Pieces& pieces)>;

void in_turn(ProcessText& /*text*/, Script& script, const Pieces& pieces) {
  for (std::size_t i = 0; i < pieces.slots.size(); ++i) add_work(script, pieces.ns_of(i));
}

void in_a_loop(ProcessText& text, Script& script, const Pieces& pieces) {
  if (pieces.slots.empty()) return;
  LoopText loop{static_cast<std::int64_t>(pieces.slots.size()), Schedule::kStatic, {}};
  loop.data.assign(pieces.slots.begin(), pieces.slots.end());
  for (std::size_t i = 0; i < pieces.slots.size(); ++i) loop.parts.push_back(std::llround(pieces.ns_of(i)));
  const auto number = static_cast<std::int64_t>(text.loops.size());
  text.loops.push_back(std::move(loop));
  script.push_back({Op::kRegion, static_cast<std::int64_t>(text.regions.size())});
  text.regions.push_back({static_cast<int>(pieces.kind), 1, false, {{Op::kLoop, number}, {Op::kBarrier, 0}}});
}

class Loops : public AmrVariant {
 public:
  Loops(const amr::Settings& settings, int rank, ProcessText& text, AmrMeter& meter, Phase phase)
      : AmrVariant(settings, rank, text, meter), phase_(std::move(phase)), stages_(settings, false) {}

  void timesteps(const AmrRank& on, int count) final {
    const Script done =
        stages_.timesteps(count, text_, meter_, [&](const AmrStage& at) { return stage(on, at.has_sums); });
    script_.insert(script_.end(), done.begin(), done.end());
  }

  [[nodiscard]] int take() final {
    if (free_.empty()) return slots_++;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(int slot) final {
    freed_.push_back(slot);
    copy_many();
  }
  void copy(std::span<const int> reads, int writes, std::function<void()> /*body*/) final {
    copies_.push_back(writes);
    copies_ns_.push_back(copy_ns(reads.size()));
    copy_many();
  }
  void leave_mesh(const AmrRank& /*from*/) final {}

  void migrate(amr::BlockStore& slots, const amr::BlockTree& tree,
               std::span<const amr::BlockMove> moves) final {
    copy_all();
    exchange::for_each_wave(tree, moves, rank_, [&](const auto& partners) {
      std::vector<int> coming, going, leaving, receives, sends;
      for (const auto& [rank, pair] : partners) {
        for (int i = 0; const int leaf : pair.in) {
          coming.push_back(leaf);
          receives.push_back(message(MessageKind::kReceive, rank, kBlockChannel + i++));
        }
        for (int i = 0; const int leaf : pair.out) {
          going.push_back(leaf);
          sends.push_back(message(MessageKind::kSend, rank, kBlockChannel + i++, values()));
        }
      }
      for (const int receive : receives) script_.push_back({Op::kPost, receive});
      for (const int leaf : going) leaving.push_back(slots.take(tree.leaf(leaf).number));
      phase(
          {AmrKind::kBlockPack, leaving, [&](std::size_t) { return meter_.ns(AmrWork::kCarry, values()); }});
      for (std::size_t i = 0; i < sends.size(); ++i) {
        free_.push_back(leaving[i]);
        add_work(script_, meter_.call());
        script_.push_back({Op::kPost, sends[i]});
      }
      for (const int receive : receives) script_.push_back({Op::kAwait, receive});
      std::vector<int> arrived;
      for (const int leaf : coming) {
        arrived.push_back(take());
        slots.put(tree.leaf(leaf).number, arrived.back());
      }
      phase({AmrKind::kBlockUnpack, arrived,
             [&](std::size_t) { return meter_.ns(AmrWork::kCarry, values()); }});
      for (const int send : sends) script_.push_back({Op::kAwait, send});
    });
  }

  void meet() final {
    if (!has_other_ranks()) return;
    const int meeting = message(MessageKind::kCollective);
    script_.push_back({Op::kPost, meeting});
    script_.push_back({Op::kAwait, meeting});
  }

  void finish_refinement() final { copy_all(); }

  void end_run() final { text_.main = std::move(script_); }

 protected:
  virtual Script stage(const AmrRank& on, bool with_sums) {
    Script before = std::exchange(script_, {});
    std::vector<int> receives, sends;
    for (int axis = 0; axis < amr::kAxes; ++axis) post_receives(on, axis);
    for (int axis = 0; axis < amr::kAxes; ++axis) send(on, axis, sends);
    const exchange::LeavesByReach leaves = on.transfers().by_reach();
    stencils(on, leaves.inner());
    for (int axis = 0; axis < amr::kAxes; ++axis) unpack(on, axis);
    await_all(sends);
    stencils(on, leaves.border());
    if (with_sums) sums(on);
    return std::exchange(script_, std::move(before));
  }

  void phase(const Pieces& pieces) { phase_(text_, script_, pieces); }

  void post_receives(const AmrRank& on, int axis) {
    for (const AmrRank::Part& part : on.receives(axis)) {
      add_work(script_, meter_.ns(AmrWork::kPost, part.sum() * settings_.num_vars));
      script_.push_back({Op::kPost, part.message});
    }
  }

  void send(const AmrRank& on, int axis, std::vector<int>& sends) {
    std::vector<double> faces;
    std::vector<int> slots;
    for (const AmrRank::Part& part : on.sends(axis)) {
      faces.insert(faces.end(), part.values.begin(), part.values.end());
      slots.insert(slots.end(), part.slots.begin(), part.slots.end());
      sends.push_back(part.message);
    }
    phase({AmrKind::kPack, slots,
           [&](std::size_t i) { return meter_.ns(AmrWork::kPack, faces[i] * settings_.num_vars); }});
    for (const AmrRank::Part& part : on.sends(axis)) {
      add_work(script_, meter_.call());
      script_.push_back({Op::kPost, part.message});
    }
  }

  void unpack(const AmrRank& on, int axis) {
    for (const AmrRank::Part& part : on.receives(axis)) {
      script_.push_back({Op::kAwait, part.message});
      phase({AmrKind::kUnpack, part.slots, [&](std::size_t i) {
               return meter_.ns(AmrWork::kUnpack, part.values[i] * settings_.num_vars);
             }});
    }
  }

  void await_all(const std::vector<int>& sends) {
    for (const int send : sends) script_.push_back({Op::kAwait, send});
  }

  void stencils(const AmrRank& on, std::span<const int> blocks) {
    phase({AmrKind::kStencil, slots_of(on, blocks),
           [&](std::size_t) { return meter_.ns(AmrWork::kStencil, values()); }});
  }

  void sums(const AmrRank& on) {
    std::vector<int> all(static_cast<std::size_t>(on.blocks()));
    std::iota(all.begin(), all.end(), 0);
    phase({AmrKind::kSums, slots_of(on, all),
           [&](std::size_t) { return meter_.ns(AmrWork::kSums, values()); }});
    meet();
  }

 private:
  // Of 16 families, as in amr/refine/block_work.hpp.
  static constexpr std::size_t kMany = std::size_t{16} * amr::kChildren;

  static std::vector<int> slots_of(const AmrRank& on, std::span<const int> blocks) {
    std::vector<int> slots;
    for (const int block : blocks) slots.push_back(on.slot(block));
    return slots;
  }

  void copy_many() {
    if (copies_.size() >= kMany || freed_.size() >= kMany) copy_all();
  }
  void copy_all() {
    phase({AmrKind::kCopy, std::exchange(copies_, {}), [&](std::size_t i) { return copies_ns_[i]; }});
    copies_ns_.clear();
    free_.insert(free_.end(), freed_.begin(), freed_.end());
    freed_.clear();
  }

  const Phase phase_;
  AmrStages stages_;
  int slots_ = 0;
  std::vector<int> free_, freed_, copies_;  // of copies what they write, and what they take
  std::vector<double> copies_ns_;
};

/// The reference's: ghosts are filled axis by axis, within the rank while its messages are on their way, and
/// all before the first stencil.
class InOrder final : public Loops {
 public:
  using Loops::Loops;

 private:
  Script stage(const AmrRank& on, bool with_sums) override {
    Script before = std::exchange(script_, {});
    for (int axis = 0; axis < amr::kAxes; ++axis) {
      std::vector<int> sends;
      post_receives(on, axis);
      send(on, axis, sends);
      exchange(on, axis);
      unpack(on, axis);
      await_all(sends);
    }
    stencils(on, on.transfers().by_reach().all);
    if (with_sums) sums(on);
    return std::exchange(script_, std::move(before));
  }

  void exchange(const AmrRank& on, int axis) {
    const double face = cells() / settings_.cells[static_cast<std::size_t>(axis)];
    double values = 0;
    for (int b = 0; b < on.blocks(); ++b) {
      for (const int number : {2 * axis, 2 * axis + 1}) {
        const auto all = on.transfers().into_face(b, number);
        const auto own = std::ranges::count_if(all, &exchange::Transfer::reads_own_neighbour);
        values += face * static_cast<double>(own) / static_cast<double>(all.size());
      }
    }
    add_work(script_, meter_.ns(AmrWork::kExchange, values * settings_.num_vars));
  }
};

}  // namespace

std::unique_ptr<AmrVariant> make_serial(const amr::Settings& settings, int rank, int /*threads*/,
                                        ProcessText& text, AmrMeter& meter) {
  return std::make_unique<Loops>(settings, rank, text, meter, in_turn);
}

std::unique_ptr<AmrVariant> make_loops(const amr::Settings& settings, int rank, int /*threads*/,
                                       ProcessText& text, AmrMeter& meter) {
  return std::make_unique<Loops>(settings, rank, text, meter, in_a_loop);
}

std::unique_ptr<AmrVariant> make_reference(const amr::Settings& settings, int rank, int /*threads*/,
                                           ProcessText& text, AmrMeter& meter) {
  return std::make_unique<InOrder>(settings, rank, text, meter, in_turn);
}

}  // namespace heddle::simulate
