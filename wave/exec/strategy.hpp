// Strategies of enclave tasking: what becomes of an enclave patch that the primary traversal meets. Rows of
// one table, and a text form from which a row can be read again.
//
// Words: a *held* patch stands in a queue of the application; the runtime knows nothing of it. A *batch* is
// held patches that one task, or one thread in one go, computes one after the other.
//
// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, sections 4.1 to 4.3.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace heddle::wave {

inline constexpr int kAllPatches = std::numeric_limits<int>::max();

struct Strategy {
  /// As many patches are held at most; those beyond become tasks immediately. 0: nothing is held.
  int hold_limit = 0;
  /// Patches of a batch.
  int fuse_least = 1;
  int fuse_most = 1;
  /// When held patches are computed, beside when somebody waits for them:
  bool when_idle = false;      // by threads whose traversals have ended, until all traversals have
  bool at_end = false;         // batches become tasks when the primary traversals have ended
  bool rest_at_end = false;    // so does what is left then, batch or not: "eventually native"
  bool is_background = false;  // tasks are background tasks of the runtime; nothing is held

  bool operator==(const Strategy&) const = default;
};

struct NamedStrategy {
  std::string_view name;
  Strategy strategy;
  std::string_view description;
};

[[nodiscard]] std::span<const NamedStrategy> strategies();

/// "hold=all,fuse=1-16,when=idle+rest"; reads as what it was printed from.
[[nodiscard]] std::string to_text(const Strategy& strategy);
/// A name of the table, or what to_text() prints. Errors: throws UserError.
[[nodiscard]] Strategy parse_strategy(const std::string& text);
/// The name, where the table has the strategy, else its text.
[[nodiscard]] std::string name_of(const Strategy& strategy);

}  // namespace heddle::wave
