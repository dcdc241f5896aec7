// What OMP_PLACES says: OpenMP 5.2, section 21.1.6. Pure text; no machine is asked.
//
// Two forms: an *abstract* name with or without a count, such as cores(4), which a caller that knows the
// machine turns into places; or places spelt out, such as {0:4}:2:4,!{4:4}, which come out as numbers of
// processors.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heddle {

enum class AbstractPlace { kThreads, kCores, kLastLevelCaches, kNumaDomains, kSockets };

/// Processors, in ascending order, each once.
using ProcessorSet = std::vector<int>;

struct PlaceList {
  std::optional<AbstractPlace> abstract;
  int count = 0;                     // of abstract places; 0: all there are
  std::vector<ProcessorSet> places;  // in the order given, where they are spelt out
};

inline constexpr int kMostProcessors = 1 << 16;

/// Returns nothing where the text is in neither form, names a processor below 0 or above kMostProcessors,
/// makes more places than that, or excludes them all.
std::optional<PlaceList> parse_place_list(std::string_view text);

/// GCC's list of processors, such as 0 3 1-2 4-15:2, separated by blanks or commas: each is a place of its
/// own. Returns nothing as above.
std::optional<PlaceList> parse_processor_list(std::string_view text);

}  // namespace heddle
