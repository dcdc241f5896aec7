// What the pieces of an adaptive-mesh program's work take, fitted to a run of it.
#pragma once

#include <array>
#include <string>

namespace heddle::simulate {

enum class AmrWork { kPack, kUnpack, kPost, kStencil, kSums };
/// As results and files of costs have them.
inline constexpr std::array kAmrWorkNames{"pack", "unpack", "post", "stencil", "sums"};

/// By kind of work. Units: values (a cell's, of one variable), those of messages for kPost; or ns.
using AmrAmounts = std::array<double, kAmrWorkNames.size()>;

struct AmrCosts {
  AmrAmounts ns_a_value{};
  double call = 0;  // ns, to start a send

  [[nodiscard]] double of(AmrWork work, double values) const {
    return ns_a_value[static_cast<std::size_t>(work)] * values;
  }
};

/// Those of a file's object "amr", and of "messages" the start. Errors: throws UserError where it cannot be
/// read or a cost is missing.
AmrCosts read_amr_costs(const std::string& path);

}  // namespace heddle::simulate
