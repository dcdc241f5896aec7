// The exchange of ghosts with other ranks: receives posted, faces packed and sent; then, after whatever is to
// be done meanwhile, unpacked as they come.
//
// Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications",
// 2020, algorithm 2.
//
// Invariant: between begin() and finish() nobody writes what is packed, which is done when begin() returns,
// nor uses the communicator's batch.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "amr/field/clock.hpp"
#include "amr/halo/pieces.hpp"
#include "amr/halo/traffic.hpp"
#include "exchange/communicator.hpp"
#include "exchange/tags.hpp"

namespace heddle::amr {

using exchange::Communicator;

struct SendRule {
  bool a_message_a_face = false;  // --send_faces
  int most_messages = 0;          // then, along an axis from one rank to another; 0: no limit
  bool is_blocking = false;       // --blocking_send

  /// Calls use(first, count) for the pieces that go as one message.
  template <class Use>
  void for_each_part(const std::vector<Piece>& pieces, Use&& use) const {
    std::size_t step = pieces.size();
    if (a_message_a_face) {
      const std::size_t most = most_messages > 0 ? static_cast<std::size_t>(most_messages) : pieces.size();
      step = (pieces.size() + most - 1) / std::max<std::size_t>(most, 1);
    }
    for (std::size_t n = 0; n < pieces.size(); n += step) use(&pieces[n], std::min(step, pieces.size() - n));
  }
};

template <class Field>
class RankExchange {
 public:
  using Plan = exchange::MessagePlan<kAxes, kRatio>;

  RankExchange(Field& field, Communicator& ranks, const HaloRule& rule, const SendRule& sending)
      : field_(field), ranks_(ranks), rule_(rule), sending_(sending) {}

  /// Must be called after every change of the mesh, between two exchanges. The plan stays until the next
  /// call.
  void adopt(const Plan& plan) {
    plan_ = &plan;
    memory_.clear();
    std::set<int> all;
    std::size_t total = 0;
    for (int axis = 0; axis < kAxes; ++axis) {
      const auto& messages = plan.receives(axis);
      partners_[axis].add(static_cast<long long>(messages.size()));
      total += messages.size();
      for (const auto& message : messages) all.insert(message.rank);
    }
    partners_[kAllPartners].add(static_cast<long long>(total));
    partners_[kDifferentPartners].add(static_cast<long long>(all.size()));
  }
  [[nodiscard]] const SendRule& sending() const { return sending_; }
  /// For who sends and receives in place of begin() and finish().
  [[nodiscard]] Traffic& traffic(int axis) { return traffic_[axis]; }
  [[nodiscard]] const std::array<Traffic, kAxes>& traffic() const { return traffic_; }
  [[nodiscard]] const RankPartners& partners() const { return partners_; }

  /// Starts the messages of these axes with the variables first..last-1, packed from a generation of faces
  /// where there are such. for_each(n, pack) calls pack(0..n-1), in any order or at the same time, and
  /// returns when all are done.
  template <class Axes, class ForEach>
  void begin(const Axes& axes, int first, int last, int generation, ForEach&& for_each) {
    generation_ = generation;
    first_ = first;
    last_ = last;
    Stopwatch stopwatch;
    for (const int axis : axes) {
      for (const auto& message : plan_->receives(axis))
        for_each_part(message, [&](const Piece* pieces, std::size_t count) {
          Part& part = incoming_.emplace_back(part_of(message.rank, axis, pieces, count));
          const auto bytes = std::as_writable_bytes(std::span(part.data));
          ranks_.start_receive(part.rank, exchange::kGhostTag + axis, bytes);
          traffic_[axis].count_received(bytes.size(), count);
        });
      traffic_[axis].seconds.post += stopwatch.lap();
    }
    for (const int axis : axes) {
      const std::size_t before = outgoing_.size();
      for (const auto& message : plan_->sends(axis))
        for_each_part(message, [&](const Piece* pieces, std::size_t count) {
          outgoing_.push_back(part_of(message.rank, axis, pieces, count));
        });
      send(std::span(outgoing_).subspan(before), traffic_[axis], stopwatch, for_each);
    }
  }

  /// Waits for what was begun and unpacks it, message by message. for_each: as for begin().
  template <class ForEach>
  void finish(ForEach&& for_each) {
    Stopwatch stopwatch;
    MessageTimes* seconds = nullptr;
    for (int n = ranks_.next_received(); n != Communicator::kNone; n = ranks_.next_received()) {
      const Part& part = incoming_[static_cast<std::size_t>(n)];
      seconds = &traffic_[part.axis].seconds;
      seconds->wait += stopwatch.lap();
      for_each(static_cast<int>(part.count), [&](int p) {
        const Piece& mine = part.pieces[p];
        const std::size_t length = piece_length(mine, field_.shape().cells, rule_);
        const double* from = part.data.data() + part.begins[static_cast<std::size_t>(p)];
        unpack_variables(field_, mine, first_, last_, rule_, length, from);
      });
      seconds->unpack += stopwatch.lap();
    }
    ranks_.finish_batch();
    if (seconds != nullptr) seconds->wait += stopwatch.lap();
    keep(outgoing_);
    keep(incoming_);
  }

 private:
  /// What goes as one message.
  struct Part {
    int rank;
    int axis;
    const Piece* pieces;
    std::size_t count;
    std::vector<std::size_t> begins;  // of each piece in the data
    std::vector<double> data;
  };

  /// Packs the parts of one axis and sends them.
  template <class ForEach>
  void send(std::span<Part> parts, Traffic& traffic, Stopwatch& stopwatch, ForEach&& for_each) {
    std::vector<std::pair<Part*, std::size_t>> faces;
    for (Part& part : parts) {
      for (std::size_t n = 0; n < part.count; ++n) faces.emplace_back(&part, n);
    }
    for_each(static_cast<int>(faces.size()), [&](int n) {
      const auto [part, piece] = faces[static_cast<std::size_t>(n)];
      const Piece& mine = part->pieces[piece];
      const std::size_t length = piece_length(mine, field_.shape().cells, rule_);
      double* to = part->data.data() + part->begins[piece];
      pack_variables(field_, mine, first_, last_, rule_, generation_, length, to);
    });
    traffic.seconds.pack += stopwatch.lap();
    for (const Part& part : parts) {
      const auto bytes = std::as_bytes(std::span(part.data));
      ranks_.start_send(part.rank, exchange::kGhostTag + part.axis, bytes, sending_.is_blocking);
      traffic.count_sent(bytes.size(), part.count);
    }
    traffic.seconds.send += stopwatch.lap();
  }

  template <class Use>
  void for_each_part(const exchange::Message& message, Use&& use) const {
    sending_.for_each_part(message.pieces, use);
  }

  [[nodiscard]] Part part_of(int rank, int axis, const Piece* pieces, std::size_t count) {
    Part part{rank, axis, pieces, count, {}, {}};
    std::size_t doubles = 0;
    for (std::size_t n = 0; n < count; ++n) {
      part.begins.push_back(doubles);
      doubles +=
          piece_length(pieces[n], field_.shape().cells, rule_) * static_cast<std::size_t>(last_ - first_);
    }
    if (!memory_.empty()) {
      part.data = std::move(memory_.back());
      memory_.pop_back();
    }
    part.data.resize(doubles);
    return part;
  }

  /// The next exchange asks for memory in the same order: each message gets its own again.
  void keep(std::vector<Part>& parts) {
    for (std::size_t n = parts.size(); n-- > 0;) memory_.push_back(std::move(parts[n].data));
    parts.clear();
  }

  Field& field_;
  Communicator& ranks_;
  HaloRule rule_;
  SendRule sending_;
  const Plan* plan_ = nullptr;
  int generation_ = 0;
  int first_ = 0;
  int last_ = 0;
  std::vector<Part> incoming_;
  std::vector<Part> outgoing_;
  std::vector<std::vector<double>> memory_;  // of earlier messages
  std::array<Traffic, kAxes> traffic_{};
  RankPartners partners_{};
};

}  // namespace heddle::amr
