// heddle-amr's data-flow variant (amr/exec/data_flow.cpp, tasks.hpp, message_tasks.hpp, block_tasks.hpp): the
// tasks of stages and refinements and their dependences, with the words of those files.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "exchange/migration.hpp"
#include "simulate/generate/amr_variant.hpp"

namespace heddle::simulate {
namespace {

// What an address stands for; the rest of it is a number among those.
enum Space : std::int64_t {
  kTurn,  // of what is received and what is sent, by mesh
  kCheck,
  kReductions,
  kLeft,
  kMeetingPoint,
  kInterior,  // by slot and chunk, as ghosts and faces
  kGhosts,
  kFaces,                                  // of two generations
  kSumsOf = kFaces + 2,                    // by mesh and table
  kSections = kSumsOf + 2 * kMeshesInUse,  // of what is received and what is sent, by mesh
  kGoing = kSections + 2 * kMeshesInUse,   // a block's buffer, by partner and number
  kComing
};
constexpr std::int64_t kPlaces = std::int64_t{1} << 40;  // of a space

class DataFlow final : public AmrVariant {
 public:
  DataFlow(const amr::Settings& settings, int rank, int threads, ProcessText& text, AmrMeter& meter)
      : AmrVariant(settings, rank, text, meter), stages_(settings, true), copies_between_(4LL * threads) {
    const int most = settings.task_vars == 0 ? settings.num_vars : settings.task_vars;
    for (int first = 0; first < settings.num_vars; first += most)
      chunks_.push_back({first, std::min(most, settings.num_vars - first)});
  }

  void timesteps(const AmrRank& on, int count) override {
    on_ = &on;
    mesh_ = on.mesh() % kMeshesInUse;
    leaves_ = on.transfers().by_reach();
    place_sections();
    const Script done =
        stages_.timesteps(count, text_, meter_, [&](const AmrStage& stage) { return script_of(stage); });
    script_.insert(script_.end(), done.begin(), done.end());
  }

  void leave_mesh(const AmrRank& from) override {
    const int mesh = from.mesh() % kMeshesInUse;
    create(AmrKind::kWait, {on(at(kLeft), kOut)}, 0).is_undeferred = true;
    for (int b = 0; b < from.blocks(); ++b) {
      std::vector<DependenceOn> all = values_of(from.slot(b), kIn);
      for (int c = 0; c < chunks(); ++c)
        for (int table = 0; table < 2; ++table) all.push_back(on(sums(mesh, table, b, c), kOut));
      all.push_back(on(at(kLeft), kIn));
      create(AmrKind::kLeave, std::move(all), 0);
    }
    if (!has_other_ranks()) return;
    create(AmrKind::kLeave,
           {on(turn_of(mesh, kReceived), kInOut), on(turn_of(mesh, kSent), kInOut), on(at(kLeft), kIn)}, 0);
  }

  [[nodiscard]] int take() override {
    while (!freed_.empty() && freed_.front().second + copies_between_ <= copies_) {
      free_.push_back(freed_.front().first);
      freed_.pop_front();
    }
    if (free_.empty()) return slots_++;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(int slot) override { freed_.emplace_back(slot, copies_); }

  void copy(std::span<const int> reads, int writes, std::function<void()> /*body*/) override {
    ++copies_;
    std::vector<DependenceOn> all;
    for (const int slot : reads) {
      const std::vector<DependenceOn> of_one = values_of(slot, kIn);
      all.insert(all.end(), of_one.begin(), of_one.end());
    }
    add_all_of(writes, all);
    create(AmrKind::kCopy, std::move(all), copy_ns(reads.size()));
  }

  void migrate(amr::BlockStore& slots, const amr::BlockTree& tree,
               std::span<const amr::BlockMove> moves) override {
    exchange::for_each_wave(tree, moves, rank_, [&](const auto& partners) {
      for (const auto& [rank, pair] : partners) {
        for (int i = 0; const int leaf : pair.out) {
          const int slot = slots.take(tree.leaf(leaf).number);
          send_block(slot, rank, i++);
          give_back(slot);
        }
      }
      for (const auto& [rank, pair] : partners) {
        for (int i = 0; const int leaf : pair.in) {
          const int slot = take();
          slots.put(tree.leaf(leaf).number, slot);
          receive_block(slot, rank, i++);
        }
      }
    });
  }

  // The creating thread executes tasks meanwhile.
  void meet() override {
    if (!has_other_ranks()) return;
    const int meeting = message(MessageKind::kCollective);
    script_.push_back({Op::kPost, meeting});
    create(AmrKind::kMeeting, {on(at(kMeetingPoint), kOut)}, 0).script.push_back({Op::kBind, meeting});
    create(AmrKind::kWait, {on(at(kMeetingPoint), kIn)}, 0).is_undeferred = true;
  }

  void finish_refinement() override {}

  void end_run() override {
    text_.scripts.push_back(std::move(script_));
    text_.regions.push_back({0, 1, false, {{Op::kSingle, 0}, {Op::kBarrier, 0}}});
    text_.main = {{Op::kRegion, 0}};
  }

 private:
  enum Turn { kReceived, kSent };
  static constexpr int kTurns = 2;

  struct Chunk {
    int first, count;  // variables
  };
  // What tasks depend on: an address, and how many bytes they work on there.
  struct Data {
    std::int64_t address;
    double bytes;
  };
  static Data at(std::int64_t space, std::int64_t number = 0, double values = 0) {
    return {(space + 1) * kPlaces + number, values * sizeof(double)};
  }
  static DependenceOn on(const Data& data, int type) {
    return {data.address, type, std::llround(data.bytes)};
  }

  [[nodiscard]] int chunks() const { return static_cast<int>(chunks_.size()); }
  [[nodiscard]] int variables(int chunk) const { return chunks_[static_cast<std::size_t>(chunk)].count; }
  [[nodiscard]] std::int64_t place(std::int64_t n, int chunk) const { return n * chunks() + chunk; }
  [[nodiscard]] Data interior(int slot, int chunk) const {
    return at(kInterior, place(slot, chunk), cells() * variables(chunk));
  }
  [[nodiscard]] Data ghosts(int slot, int chunk) const {
    return at(kGhosts, place(slot, chunk), face() * variables(chunk));
  }
  [[nodiscard]] Data faces(int slot, int chunk, int generation) const {
    return at(kFaces + generation, place(slot, chunk), face() * variables(chunk));
  }
  [[nodiscard]] Data sums(int mesh, int table, int block, int chunk) const {
    return at(kSumsOf + 2 * mesh + table, place(block, chunk), variables(chunk));
  }
  [[nodiscard]] Data section(const AmrRank::Part& part, std::size_t piece, int chunk) const {
    const Data& of_piece = sections_[static_cast<std::size_t>(part.message)][piece];
    const Chunk& of = chunks_[static_cast<std::size_t>(chunk)];
    return {of_piece.address + static_cast<std::int64_t>(part.values[piece]) * of.first,
            of_piece.bytes * of.count};
  }
  [[nodiscard]] static Data turn_of(int mesh, Turn turn) { return at(kTurn, mesh * kTurns + turn); }
  [[nodiscard]] Data turn(Turn turn) const { return turn_of(mesh_, turn); }
  [[nodiscard]] Data buffer(Space space, int partner, int i) const {
    return at(space, static_cast<std::int64_t>(partner) * exchange::kBlocksAWave + i, values());
  }

  // Of a block, as amr/exec/block_addresses.hpp.
  [[nodiscard]] std::vector<DependenceOn> values_of(int slot, int type) const {
    std::vector<DependenceOn> result;
    for (int c = 0; c < chunks(); ++c) result.push_back(on(interior(slot, c), type));
    return result;
  }
  void add_all_of(int slot, std::vector<DependenceOn>& to) const {
    for (int c = 0; c < chunks(); ++c)
      for (const Data& data : {interior(slot, c), ghosts(slot, c), faces(slot, c, 0), faces(slot, c, 1)})
        to.push_back(on(data, kOut));
  }

  TaskText& create(AmrKind kind, std::vector<DependenceOn> dependences, double ns) {
    return add_task(text_, script_, static_cast<int>(kind), std::move(dependences), ns);
  }
  void create_message(AmrKind kind, std::vector<DependenceOn> dependences, int message) {
    TaskText& task = create(kind, std::move(dependences), meter_.call());
    task.script.push_back({Op::kPost, message});
    task.script.push_back({Op::kBind, message});
  }

  // As amr/halo/message_buffers.hpp.
  void place_sections() {
    sections_.assign(text_.messages.size(), {});
    for (const Turn way : {kReceived, kSent}) {
      double next = 0;
      for (int axis = 0; axis < amr::kAxes; ++axis) {
        if (!settings_.separate_buffers) next = 0;
        for (const AmrRank::Part& part : way == kReceived ? on_->receives(axis) : on_->sends(axis)) {
          for (const double values : part.values) {
            sections_[static_cast<std::size_t>(part.message)].push_back(
                at(kSections + 2 * mesh_ + way, static_cast<std::int64_t>(next), values));
            next += values * settings_.num_vars;
          }
        }
      }
    }
  }

  Script script_of(const AmrStage& stage) {
    Script before = std::exchange(script_, {});
    stage_ = stage;
    if (has_other_ranks()) {
      begin(0);
      if (settings_.separate_buffers)
        for (int axis = 1; axis < amr::kAxes; ++axis) begin(axis);
      finish(0);
      for (int axis = 1; axis < amr::kAxes; ++axis) {
        if (!settings_.separate_buffers) begin(axis);
        finish(axis);
      }
    }
    for (int c = 0; c < chunks(); ++c) {
      for (const int b : leaves_.all) stencil(b, c);
      for (int b = 0; stage.has_sums && b < on_->blocks(); ++b)
        create(AmrKind::kSums, {on(interior(on_->slot(b), c), kIn), on(sums(mesh_, stage.table, b, c), kOut)},
               meter_.ns(AmrWork::kSums, cells() * variables(c)));
    }
    if (stage.has_sums) check();
    return std::exchange(script_, std::move(before));
  }

  void begin(int axis) {
    if (!settings_.separate_buffers)
      for (const Turn taken : {kReceived, kSent}) create(AmrKind::kTurn, {on(turn(taken), kInOut)}, 0);
    for (const AmrRank::Part& part : on_->receives(axis)) {
      std::vector<DependenceOn> all = all_sections(part, kOut);
      all.push_back(on(turn(kReceived), kIn));
      create_message(AmrKind::kReceive, std::move(all), part.message);
    }
    for (const AmrRank::Part& part : on_->sends(axis)) {
      for (std::size_t p = 0; p < part.values.size(); ++p)
        for (int c = 0; c < chunks(); ++c)
          create(AmrKind::kPack,
                 {on(faces(part.slots[p], c, stage_.generation), kIn), on(turn(kSent), kIn),
                  on(section(part, p, c), kOut)},
                 meter_.ns(AmrWork::kPack, part.values[p] * variables(c)));
      std::vector<DependenceOn> all = all_sections(part, kIn);
      all.push_back(on(turn(kSent), kIn));
      create_message(AmrKind::kSend, std::move(all), part.message);
    }
  }

  void finish(int axis) {
    for (const AmrRank::Part& part : on_->receives(axis))
      for (std::size_t p = 0; p < part.values.size(); ++p)
        for (int c = 0; c < chunks(); ++c)
          create(
              AmrKind::kUnpack,
              {on(section(part, p, c), kIn), on(turn(kReceived), kIn), on(ghosts(part.slots[p], c), kInOut)},
              meter_.ns(AmrWork::kUnpack, part.values[p] * variables(c)));
  }

  [[nodiscard]] std::vector<DependenceOn> all_sections(const AmrRank::Part& part, int type) const {
    std::vector<DependenceOn> result;
    for (std::size_t p = 0; p < part.values.size(); ++p)
      for (int c = 0; c < chunks(); ++c) result.push_back(on(section(part, p, c), type));
    return result;
  }

  void stencil(int b, int c) {
    const int slot = on_->slot(b);
    std::vector<DependenceOn> all{on(ghosts(slot, c), kIn)};
    for (const amr::Transfer& transfer : on_->transfers().into(b))
      if (transfer.reads_own_neighbour())
        all.push_back(on(faces(transfer.source, c, stage_.generation), kIn));
    all.push_back(on(interior(slot, c), kInOut));
    all.push_back(on(faces(slot, c, 1 - stage_.generation), kOut));
    create(AmrKind::kStencil, std::move(all), meter_.ns(AmrWork::kStencil, cells() * variables(c)));
  }

  // The sums of the check before are waited for, where they may be late; then come this one's.
  void check() {
    const auto validate = [&] {
      create(AmrKind::kValidation, {on(at(kCheck), kIn)}, 0).is_undeferred = true;
    };
    validate();
    std::vector<DependenceOn> all;
    for (int c = 0; c < chunks(); ++c)
      for (int b = 0; b < on_->blocks(); ++b) all.push_back(on(sums(mesh_, stage_.table, b, c), kIn));
    all.push_back(on(at(kCheck), kOut));
    all.push_back(on(at(kReductions), kInOut));
    if (has_other_ranks())
      create_message(AmrKind::kReduction, std::move(all), message(MessageKind::kCollective));
    else
      create(AmrKind::kReduction, std::move(all), 0);
    if (settings_.delay_checks == 0) validate();
  }

  void send_block(int slot, int rank, int i) {
    std::vector<DependenceOn> all = values_of(slot, kIn);
    all.push_back(on(buffer(kGoing, rank, i), kOut));
    create(AmrKind::kBlockPack, std::move(all), meter_.ns(AmrWork::kCarry, values()));
    create_message(AmrKind::kBlockSend, {on(buffer(kGoing, rank, i), kIn)},
                   message(MessageKind::kSend, rank, kBlockChannel + i, values()));
  }

  void receive_block(int slot, int rank, int i) {
    create_message(AmrKind::kBlockReceive, {on(buffer(kComing, rank, i), kOut)},
                   message(MessageKind::kReceive, rank, kBlockChannel + i));
    std::vector<DependenceOn> all{on(buffer(kComing, rank, i), kIn)};
    add_all_of(slot, all);
    create(AmrKind::kBlockUnpack, std::move(all), meter_.ns(AmrWork::kCarry, values()));
  }

  AmrStages stages_;
  std::vector<Chunk> chunks_;
  // Of the mesh that is now:
  const AmrRank* on_ = nullptr;
  int mesh_ = 0;
  exchange::LeavesByReach leaves_;
  std::vector<std::vector<Data>> sections_;  // by message: its pieces, with the bytes of one variable
  AmrStage stage_;
  // Of refinements, as in amr/exec/block_tasks.hpp:
  const long long copies_between_;
  long long copies_ = 0;
  int slots_ = 0;
  std::vector<int> free_;
  std::deque<std::pair<int, long long>> freed_;
};

}  // namespace

std::unique_ptr<AmrVariant> make_data_flow(const amr::Settings& settings, int rank, int threads,
                                           ProcessText& text, AmrMeter& meter) {
  return std::make_unique<DataFlow>(settings, rank, threads, text, meter);
}

}  // namespace heddle::simulate
