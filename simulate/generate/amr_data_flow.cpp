// heddle-amr's data-flow variant (amr/exec/data_flow.cpp, tasks.hpp, message_tasks.hpp): the tasks of a stage
// and their dependences, with the words of tasks.hpp.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "simulate/generate/amr_rank.hpp"

namespace heddle::simulate {
namespace {

enum { kReceiveTurn, kSendTurn, kReductions, kCheck, kFirstFree };

class Writer {
 public:
  Writer(AmrRank& rank, const amr::Settings& settings, ProcessText& text)
      : rank_(rank), settings_(settings), text_(text), leaves_(rank.transfers().by_reach()) {
    const int most = settings.task_vars == 0 ? settings.num_vars : settings.task_vars;
    for (int first = 0; first < settings.num_vars; first += most)
      chunks_.push_back(std::min(most, settings.num_vars - first));
    for (int axis = 0; axis < amr::kAxes; ++axis)
      for (const auto* parts : {&rank.receives(axis), &rank.sends(axis)})
        for (const AmrRank::Part& part : *parts) {
          sections_.resize(std::max(sections_.size(), static_cast<std::size_t>(part.message) + 1));
          sections_[static_cast<std::size_t>(part.message)] = next_section_;
          next_section_ += static_cast<int>(part.values.size() * chunks_.size());
        }
  }

  Script stage(const AmrRank::Stage& stage) {
    script_.clear();
    stage_ = stage;
    if (rank_.has_messages()) {
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
      for (int b = 0; stage.has_sums && b < rank_.blocks(); ++b)
        create(AmrKind::kSums, {on(interior(b, c), kIn), on(sums(b, c), kOut)}, rank_.sums(variables(c)));
    }
    if (stage.has_sums) check();
    return script_;
  }

 private:
  [[nodiscard]] int chunks() const { return static_cast<int>(chunks_.size()); }
  [[nodiscard]] int variables(int chunk) const { return chunks_[static_cast<std::size_t>(chunk)]; }
  // What tasks depend on: an address, and how many bytes they work on there.
  struct Data {
    std::int64_t address;
    double bytes;
  };
  static DependenceOn on(const Data& data, int type) {
    return {data.address, type, std::llround(data.bytes)};
  }
  static DependenceOn on(std::int64_t turn, int type) { return {turn, type, 0}; }

  [[nodiscard]] Data of_block(int what, int block, int chunk, double values) const {
    constexpr double kBytes = sizeof(double);
    return {kFirstFree + (std::int64_t{what} * rank_.blocks() + block) * chunks() + chunk,
            kBytes * values * variables(chunk)};
  }
  [[nodiscard]] Data interior(int block, int chunk) const { return of_block(0, block, chunk, rank_.cells()); }
  [[nodiscard]] Data ghost(int block, int chunk) const { return of_block(1, block, chunk, rank_.face()); }
  [[nodiscard]] Data faces(int block, int chunk, int generation) const {
    return of_block(2 + generation, block, chunk, rank_.face());
  }
  [[nodiscard]] Data sums(int block, int chunk) const { return of_block(4 + stage_.table, block, chunk, 1); }
  [[nodiscard]] Data section(const AmrRank::Part& part, std::size_t piece, int chunk) const {
    Data data = of_block(6, 0, chunk, part.values[piece]);
    data.address +=
        sections_[static_cast<std::size_t>(part.message)] + static_cast<std::int64_t>(piece) * chunks();
    return data;
  }

  TaskText& create(AmrKind kind, std::vector<DependenceOn> dependences, double ns) {
    return add_task(text_, script_, static_cast<int>(kind), std::move(dependences), ns);
  }
  void create_message(AmrKind kind, std::vector<DependenceOn> dependences, int message) {
    TaskText& task = create(kind, std::move(dependences), rank_.call());
    task.script.push_back({Op::kPost, message});
    task.script.push_back({Op::kBind, message});
  }

  void begin(int axis) {
    if (!settings_.separate_buffers)
      for (const std::int64_t turn : {kReceiveTurn, kSendTurn}) create(AmrKind::kTurn, {on(turn, kInOut)}, 0);
    for (const AmrRank::Part& part : rank_.receives(axis)) {
      std::vector<DependenceOn> all = all_sections(part, kOut);
      all.push_back(on(kReceiveTurn, kIn));
      create_message(AmrKind::kReceive, std::move(all), part.message);
    }
    for (const AmrRank::Part& part : rank_.sends(axis)) {
      for (std::size_t p = 0; p < part.values.size(); ++p)
        for (int c = 0; c < chunks(); ++c)
          create(AmrKind::kPack,
                 {on(faces(part.slots[p], c, stage_.generation), kIn), on(kSendTurn, kIn),
                  on(section(part, p, c), kOut)},
                 rank_.work(AmrWork::kPack, part.values[p] * variables(c)));
      std::vector<DependenceOn> all = all_sections(part, kIn);
      all.push_back(on(kSendTurn, kIn));
      create_message(AmrKind::kSend, std::move(all), part.message);
    }
  }

  void finish(int axis) {
    for (const AmrRank::Part& part : rank_.receives(axis))
      for (std::size_t p = 0; p < part.values.size(); ++p)
        for (int c = 0; c < chunks(); ++c)
          create(AmrKind::kUnpack,
                 {on(section(part, p, c), kIn), on(kReceiveTurn, kIn), on(ghost(part.slots[p], c), kInOut)},
                 rank_.work(AmrWork::kUnpack, part.values[p] * variables(c)));
  }

  [[nodiscard]] std::vector<DependenceOn> all_sections(const AmrRank::Part& part, int type) const {
    std::vector<DependenceOn> result;
    for (std::size_t p = 0; p < part.values.size(); ++p)
      for (int c = 0; c < chunks(); ++c) result.push_back(on(section(part, p, c), type));
    return result;
  }

  void stencil(int b, int c) {
    std::vector<DependenceOn> all{on(ghost(b, c), kIn)};
    for (const amr::Transfer& transfer : rank_.transfers().into(b))
      if (transfer.reads_own_neighbour())
        all.push_back(on(faces(transfer.source, c, stage_.generation), kIn));
    all.push_back(on(interior(b, c), kInOut));
    all.push_back(on(faces(b, c, 1 - stage_.generation), kOut));
    create(AmrKind::kStencil, std::move(all), rank_.stencil(variables(c)));
  }

  // The sums of the check before are waited for, where they may be late; then come this one's.
  void check() {
    create(AmrKind::kValidation, {on(kCheck, kIn)}, 0).is_undeferred = true;
    std::vector<DependenceOn> all;
    for (int c = 0; c < chunks(); ++c)
      for (int b = 0; b < rank_.blocks(); ++b) all.push_back(on(sums(b, c), kIn));
    all.push_back(on(kCheck, kOut));
    all.push_back(on(kReductions, kInOut));
    if (rank_.has_messages())
      create_message(AmrKind::kReduction, std::move(all), rank_.reduction());
    else
      create(AmrKind::kReduction, std::move(all), 0);
    if (settings_.delay_checks == 0) create(AmrKind::kValidation, {on(kCheck, kIn)}, 0).is_undeferred = true;
  }

  AmrRank& rank_;
  const amr::Settings& settings_;
  ProcessText& text_;
  exchange::LeavesByReach leaves_;
  std::vector<int> chunks_;    // variables of each
  std::vector<int> sections_;  // of a message, the first
  int next_section_ = 0;
  Script script_;
  AmrRank::Stage stage_;
};

}  // namespace

void write_data_flow(AmrRank& rank, const amr::Settings& settings, ProcessText& text) {
  Writer writer(rank, settings, text);
  text.scripts.push_back(
      rank.all_stages(true, [&](const AmrRank::Stage& stage) { return writer.stage(stage); }));
  text.regions.push_back({0, 1, false, {{Op::kSingle, 0}, {Op::kBarrier, 0}}});
  text.main = {{Op::kRegion, 0}};
}

}  // namespace heddle::simulate
