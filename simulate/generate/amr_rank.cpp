#include "simulate/generate/amr_rank.hpp"

#include <algorithm>
#include <numeric>

namespace heddle::simulate {
namespace {

constexpr double kBytes = sizeof(double);
constexpr int kMostParts = 1 << 16;  // between two ranks along an axis: channels

}  // namespace

const std::vector<std::string>& amr_kinds() {
  static const std::vector<std::string> kinds{"initial task", "pack",    "unpack", "stencil",   "sums",
                                              "send",         "receive", "turn",   "reduction", "validation"};
  return kinds;
}

double AmrRank::Part::sum() const {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

AmrRank::AmrRank(const amr::Settings& settings, const AmrCosts& costs, const AmrMesh::Plans& plans,
                 ProcessText& text, AmrAmounts& amounts)
    : settings_(settings),
      costs_(costs),
      plans_(plans),
      text_(text),
      amounts_(amounts),
      cells_(static_cast<double>(settings.shape().interior_cells())),
      face_(cells_ / std::ranges::min(settings.cells)) {
  for (int axis = 0; axis < amr::kAxes; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    receives_[at] = parts_of(plans.messages.receives(axis), axis, false);
    sends_[at] = parts_of(plans.messages.sends(axis), axis, true);
  }
  if (has_messages()) {
    reduction_ = static_cast<int>(text_.messages.size());
    text_.messages.push_back({MessageKind::kCollective, 0, 0, 0});
  }
}

std::vector<AmrRank::Part> AmrRank::parts_of(const std::vector<exchange::Message>& plan, int axis,
                                             bool are_sent) {
  const amr::SendRule rule{settings_.send_faces, settings_.max_comm_tasks, false};
  std::vector<Part> result;
  for (const exchange::Message& message : plan) {
    int channel = axis * kMostParts;
    rule.for_each_part(message.pieces, [&](const amr::Piece* pieces, std::size_t count) {
      Part& part = result.emplace_back(Part{static_cast<int>(text_.messages.size()), {}, {}});
      for (std::size_t i = 0; i < count; ++i) {
        part.values.push_back(static_cast<double>(amr::piece_length(pieces[i], settings_.cells, {})));
        part.slots.push_back(pieces[i].slot);
      }
      const double bytes = are_sent ? part.sum() * settings_.num_vars * kBytes : 0;
      text_.messages.push_back({are_sent ? MessageKind::kSend : MessageKind::kReceive, message.rank,
                                channel++, static_cast<std::int64_t>(bytes)});
    });
  }
  return result;
}

double AmrRank::work(AmrWork kind, double values) {
  if (counts_) amounts_[static_cast<std::size_t>(kind)] += values;
  return costs_.of(kind, values);
}

}  // namespace heddle::simulate
