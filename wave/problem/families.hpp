// The catalogue's parts, one for each equation, so that each is compiled by itself.
#pragma once

#include "wave/problem/request.hpp"

namespace heddle::wave {

struct Family {
  std::vector<ProblemInfo> (*infos)();
  /// Requires: the name is one of infos().
  Prepared (*prepare)(const ProblemRequest& request, const Machine& machine);
};

[[nodiscard]] Family gas_family();
[[nodiscard]] Family acoustics_family();
[[nodiscard]] Family advection_family();
[[nodiscard]] Family shallow_water_family();

/// What a file that has a list of entries makes of it.
template <class Entries>
[[nodiscard]] std::vector<ProblemInfo> infos_of(const Entries& entries) {
  std::vector<ProblemInfo> infos;
  for (const auto& entry : entries) infos.push_back(entry.info);
  return infos;
}
template <class Entries>
[[nodiscard]] const auto& entry_named(const Entries& entries, const std::string& name) {
  for (const auto& entry : entries) {
    if (entry.info.name == name) return entry;
  }
  return entries.front();
}

}  // namespace heddle::wave
