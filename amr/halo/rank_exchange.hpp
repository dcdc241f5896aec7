// The exchange of ghosts with other ranks: receives posted, faces packed and sent; then, after whatever is to
// be done meanwhile, unpacked as they come.
//
// Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications",
// 2020, algorithm 2.
//
// Invariant: between begin() and finish() nobody writes what is packed, which is done when begin() returns,
// nor uses the communicator's batch.
#pragma once

#include <vector>

#include "amr/halo/pieces.hpp"
#include "amr/halo/traffic.hpp"
#include "exchange/communicator.hpp"
#include "exchange/tags.hpp"

namespace heddle::amr {

using exchange::Communicator;

struct SendRule {
  bool a_message_a_face = false;  // --send_faces
  bool is_blocking = false;       // --blocking_send
};

template <class Field>
class RankExchange {
 public:
  using Plan = exchange::MessagePlan<kAxes, kRatio>;

  RankExchange(Field& field, Communicator& ranks, const HaloRule& rule, const SendRule& sending)
      : field_(field), ranks_(ranks), rule_(rule), sending_(sending) {}

  void adopt(Plan plan) { plan_ = std::move(plan); }
  [[nodiscard]] const std::array<Traffic, kAxes>& traffic() const { return traffic_; }

  /// Starts the messages of these axes with the variables first..last-1.
  template <class Axes>
  void begin(const Axes& axes, int first, int last) {
    first_ = first;
    last_ = last;
    for (const int axis : axes) {
      for (const auto& message : plan_.receives(axis))
        for_each_part(message, [&](const Piece* pieces, std::size_t count) {
          Incoming& incoming = incoming_.emplace_back(Incoming{pieces, count, {}});
          incoming.data.resize(length(pieces, count));
          const auto bytes = std::as_writable_bytes(std::span(incoming.data));
          ranks_.start_receive(message.rank, exchange::kGhostTag + axis, bytes);
          Traffic& traffic = traffic_[axis];
          ++traffic.messages_received;
          traffic.bytes_received += static_cast<long long>(bytes.size());
          traffic.faces_received += static_cast<long long>(count);
        });
    }
    for (const int axis : axes) {
      for (const auto& message : plan_.sends(axis))
        for_each_part(message, [&](const Piece* pieces, std::size_t count) {
          std::vector<double>& data = outgoing_.emplace_back(length(pieces, count));
          double* to = data.data();
          for (std::size_t n = 0; n < count; ++n) {
            for (int v = first; v < last; ++v) to = pack_piece(field_, pieces[n], v, rule_, to);
          }
          const auto bytes = std::as_bytes(std::span(data));
          ranks_.start_send(message.rank, exchange::kGhostTag + axis, bytes, sending_.is_blocking);
          Traffic& traffic = traffic_[axis];
          ++traffic.messages_sent;
          traffic.bytes_sent += static_cast<long long>(bytes.size());
          traffic.faces_sent += static_cast<long long>(count);
        });
    }
  }

  /// Waits for what was begun and unpacks it.
  void finish() {
    for (int n = ranks_.next_received(); n != Communicator::kNone; n = ranks_.next_received()) {
      const Incoming& incoming = incoming_[static_cast<std::size_t>(n)];
      const double* from = incoming.data.data();
      for (std::size_t p = 0; p < incoming.count; ++p) {
        for (int v = first_; v < last_; ++v) from = unpack_piece(field_, incoming.pieces[p], v, rule_, from);
      }
    }
    ranks_.finish_batch();
    incoming_.clear();
    outgoing_.clear();
  }

 private:
  struct Incoming {
    const Piece* pieces;
    std::size_t count;
    std::vector<double> data;
  };

  /// Calls use(pieces, count) for what goes as one message.
  template <class Use>
  void for_each_part(const exchange::Message& message, Use&& use) const {
    const std::size_t step = sending_.a_message_a_face ? 1 : message.pieces.size();
    for (std::size_t n = 0; n < message.pieces.size(); n += step) use(&message.pieces[n], step);
  }

  [[nodiscard]] std::size_t length(const Piece* pieces, std::size_t count) const {
    std::size_t doubles = 0;
    for (std::size_t n = 0; n < count; ++n) doubles += piece_length(pieces[n], field_.shape().cells, rule_);
    return doubles * static_cast<std::size_t>(last_ - first_);
  }

  Field& field_;
  Communicator& ranks_;
  HaloRule rule_;
  SendRule sending_;
  Plan plan_;
  int first_ = 0;
  int last_ = 0;
  std::vector<Incoming> incoming_;
  std::vector<std::vector<double>> outgoing_;
  std::array<Traffic, kAxes> traffic_{};
};

}  // namespace heddle::amr
