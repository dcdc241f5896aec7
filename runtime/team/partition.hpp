// Where the threads of a region go, as their team and its members keep it.
//
// Words: a *place* is a set of processors; the *place list* is fixed once read. A *partition* is a range of
// it, in which the threads of a member's next region are put. A member is *bound* to one place, or to none.
#pragma once

#include "icv/settings.hpp"

namespace heddle {

inline constexpr int kNoPlace = -1;

/// Places first .. first + count - 1 of the list.
struct Partition {
  int first = 0;
  int count = 0;
  bool operator==(const Partition&) const = default;
};

/// What decides where a team's threads go; unchanged, they stay.
struct Placement {
  int size = 0;
  ProcBind policy = ProcBind::kFalse;
  int primary_place = kNoPlace;
  Partition partition;
  bool operator==(const Placement&) const = default;
};

}  // namespace heddle
