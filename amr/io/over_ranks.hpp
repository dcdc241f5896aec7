// What ranks counted and measured, as reports and results say it: average, deviation, least and most.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "amr/io/run_record.hpp"

namespace heddle::amr {

struct Spread {
  double average = 0.0;
  double deviation = 0.0;
  double least = 0.0;
  double most = 0.0;
};

/// Of value(rank), a number, over the ranks of a run.
template <class Value>
[[nodiscard]] Spread over_ranks(const RunRecord& record, Value&& value) {
  Spread spread;
  bool is_first = true;
  double squares = 0.0;
  for (const RankRecord& rank : record.ranks) {
    const auto of_rank = static_cast<double>(value(rank));
    spread.average += of_rank;
    squares += of_rank * of_rank;
    spread.least = is_first ? of_rank : std::min(spread.least, of_rank);
    spread.most = is_first ? of_rank : std::max(spread.most, of_rank);
    is_first = false;
  }
  const auto ranks = static_cast<double>(std::max<std::size_t>(record.ranks.size(), 1));
  spread.average /= ranks;
  spread.deviation = std::sqrt(std::max(0.0, squares / ranks - spread.average * spread.average));
  return spread;
}

/// Of one of the ranks' times.
[[nodiscard]] inline Spread times(const RunRecord& record, double Timings::* time) {
  return over_ranks(record, [&](const RankRecord& rank) { return rank.timings.*time; });
}

/// Where the time of the stencils is, or, where phases overlap, of all that stages do.
[[nodiscard]] inline Spread compute_times(const RunRecord& record) {
  return times(record, record.phases_are_separate ? &Timings::stencil : &Timings::stages);
}

/// What reports and results say of the faces along one axis, in their order; the labels are theirs.
inline constexpr int kAxisFigures = 9;
inline constexpr std::array<long long (*)(const AxisRecord&), kAxisFigures> kAxisFigure{
    [](const AxisRecord& a) { return a.traffic.messages_received; },
    [](const AxisRecord& a) { return a.traffic.bytes_received; },
    [](const AxisRecord& a) { return a.traffic.faces_received; },
    [](const AxisRecord& a) { return a.traffic.messages_sent; },
    [](const AxisRecord& a) { return a.traffic.bytes_sent; },
    [](const AxisRecord& a) { return a.traffic.faces_sent; },
    [](const AxisRecord& a) { return a.faces.same; },
    [](const AxisRecord& a) { return a.faces.different; },
    [](const AxisRecord& a) { return a.faces.boundary; },
};

/// What they say of the messages' times along one axis, in their order.
inline constexpr std::array<double MessageTimes::*, 5> kMessageTime{&MessageTimes::post, &MessageTimes::pack,
                                                                    &MessageTimes::send, &MessageTimes::wait,
                                                                    &MessageTimes::unpack};

/// Along one axis, or with kAxes along all.
[[nodiscard]] inline AxisRecord along(const RankRecord& rank, int axis) {
  if (axis < kAxes) return rank.axes[static_cast<std::size_t>(axis)];
  AxisRecord all;
  for (const AxisRecord& one : rank.axes) all += one;
  return all;
}

[[nodiscard]] inline Spread axis_figure(const RunRecord& record, int axis, int figure) {
  return over_ranks(record, [&](const RankRecord& rank) {
    return kAxisFigure[static_cast<std::size_t>(figure)](along(rank, axis));
  });
}

[[nodiscard]] inline Spread message_time(const RunRecord& record, int axis, double MessageTimes::* time) {
  return over_ranks(record, [&](const RankRecord& rank) { return along(rank, axis).traffic.seconds.*time; });
}

/// All of them together.
[[nodiscard]] inline Spread message_times(const RunRecord& record, int axis) {
  return over_ranks(record,
                    [&](const RankRecord& rank) { return along(rank, axis).traffic.seconds.total(); });
}

/// which: an axis, kAllPartners or kDifferentPartners. The average is over meshes and
/// ranks, the least and the most of any mesh of any rank.
[[nodiscard]] inline Spread partners(const RunRecord& record, int which) {
  const auto of = [which](const RankRecord& rank) { return rank.partners[static_cast<std::size_t>(which)]; };
  Spread spread = over_ranks(record, [&](const RankRecord& rank) { return of(rank).average(); });
  spread.least = over_ranks(record, [&](const RankRecord& rank) { return of(rank).least; }).least;
  spread.most = over_ranks(record, [&](const RankRecord& rank) { return of(rank).most; }).most;
  return spread;
}

}  // namespace heddle::amr
