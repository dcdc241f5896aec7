// What lies beyond this rank's patches on other ranks: the layers along their faces, sent and received.
//
// Words: a *message* is all layers that one other rank gets, or gives, at once: of states, or of face states.
// Its *copy* is that of the patches' states.
//
// Invariant: both copies have buffers of their own, so that the messages of one step may be on their way
// while the layers of the other are read. Layers lie in a message as [layer][value][transverse volume].
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "exchange/communicator.hpp"
#include "exchange/face_plan.hpp"
#include "exchange/tags.hpp"
#include "wave/patch/face_layer.hpp"

namespace heddle::wave {

template <int D, int R>
class LayerExchange {
 public:
  LayerExchange() = default;
  /// values: of a volume.
  LayerExchange(const mesh::Part<D, R>& part, const exchange::TransferPlan<D, R>& transfers,
                const PatchShape<D>& shape, int values)
      : plan_(part, transfers),
        first_transfer_(transfers.all().data()),
        shape_(shape),
        values_(values),
        layer_doubles_(static_cast<std::size_t>(shape.face_volumes() * values)) {
    for (int copy = 0; copy < 2; ++copy) {
      received_[copy].resize(static_cast<std::size_t>(plan_.received()) * layer_doubles_);
      for (const auto& message : plan_.messages())
        sent_[copy].emplace_back(message.sent.size() * layer_doubles_);
    }
  }

  [[nodiscard]] const std::vector<exchange::FaceMessage>& messages() const { return plan_.messages(); }

  /// Fills what message `m` sends. layer_of(slot, face): where the layer lies.
  template <class LayerOf>
  void pack(int m, int copy, const LayerOf& layer_of) {
    double* to = sent_[copy][static_cast<std::size_t>(m)].data();
    for (const exchange::SentLayer& layer : messages()[static_cast<std::size_t>(m)].sent) {
      copy_layer<D>(layer_of(layer.slot, layer.face), dense_layer<D>(shape_, to), shape_.volumes(), values_);
      to += layer_doubles_;
    }
  }
  /// Memory of a message.
  [[nodiscard]] std::span<const std::byte> sent(int m, int copy) const {
    return std::as_bytes(std::span(sent_[copy][static_cast<std::size_t>(m)]));
  }
  [[nodiscard]] std::span<std::byte> received(int m, int copy) {
    const auto& message = messages()[static_cast<std::size_t>(m)];
    return std::as_writable_bytes(
        std::span(received_[copy])
            .subspan(static_cast<std::size_t>(message.first_received) * layer_doubles_,
                     static_cast<std::size_t>(message.received) * layer_doubles_));
  }

  /// All messages of a copy at once: start() posts receives and sends, finish() waits for them. Between the
  /// two nobody else uses the communicator's messages.
  template <class LayerOf>
  void start(int copy, const LayerOf& layer_of, exchange::Communicator& ranks) {
    const int count = static_cast<int>(messages().size());
    for (int m = 0; m < count; ++m) ranks.start_receive(rank_of(m), exchange::kGhostTag, received(m, copy));
    for (int m = 0; m < count; ++m) {
      pack(m, copy, layer_of);
      ranks.start_send(rank_of(m), exchange::kGhostTag, sent(m, copy));
    }
  }
  void finish(exchange::Communicator& ranks) {
    while (ranks.next_received() != exchange::Communicator::kNone) {
    }
    ranks.finish_batch();
  }

  /// What a remote transfer of the plan reads.
  [[nodiscard]] FaceLayer<const double, D> layer(const exchange::Transfer& transfer, int copy) const {
    const auto number = static_cast<std::size_t>(plan_.layer(&transfer - first_transfer_));
    return dense_layer<D>(shape_, received_[copy].data() + number * layer_doubles_);
  }

  [[nodiscard]] int rank_of(int m) const { return messages()[static_cast<std::size_t>(m)].rank; }

 private:
  exchange::FacePlan<D, R> plan_;
  const exchange::Transfer* first_transfer_ = nullptr;
  PatchShape<D> shape_{1};
  int values_ = 0;
  std::size_t layer_doubles_ = 0;
  std::array<std::vector<double>, 2> received_;
  std::array<std::vector<std::vector<double>>, 2> sent_;
};

}  // namespace heddle::wave
