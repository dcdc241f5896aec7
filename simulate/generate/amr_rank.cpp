#include "simulate/generate/amr_rank.hpp"

#include <numeric>
#include <utility>

namespace heddle::simulate {

double AmrRank::Part::sum() const {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

AmrRank::AmrRank(const amr::Settings& settings, AmrMeshes::Plans plans, int mesh, ProcessText& text)
    : plans_(std::move(plans)), mesh_(mesh) {
  for (int axis = 0; axis < amr::kAxes; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    receives_[at] = parts_of(plans_.messages.receives(axis), axis, false, settings, text);
    sends_[at] = parts_of(plans_.messages.sends(axis), axis, true, settings, text);
  }
}

std::vector<AmrRank::Part> AmrRank::parts_of(const std::vector<exchange::Message>& plan, int axis,
                                             bool are_sent, const amr::Settings& settings,
                                             ProcessText& text) const {
  const amr::SendRule rule{settings.send_faces, settings.max_comm_tasks, false};
  std::vector<Part> result;
  for (const exchange::Message& message : plan) {
    int channel = (mesh_ % kMeshesInUse * amr::kAxes + axis) * kMostParts;
    rule.for_each_part(message.pieces, [&](const amr::Piece* pieces, std::size_t count) {
      Part& part = result.emplace_back(Part{static_cast<int>(text.messages.size()), {}, {}});
      for (std::size_t i = 0; i < count; ++i) {
        part.values.push_back(static_cast<double>(amr::piece_length(pieces[i], settings.cells, {})));
        part.slots.push_back(pieces[i].slot);
      }
      const double bytes = are_sent ? part.sum() * settings.num_vars * sizeof(double) : 0;
      text.messages.push_back({are_sent ? MessageKind::kSend : MessageKind::kReceive, message.rank, channel++,
                               static_cast<std::int64_t>(bytes)});
    });
  }
  return result;
}

}  // namespace heddle::simulate
