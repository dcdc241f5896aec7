#include "wave/exec/strategy.hpp"

#include <array>
#include <charconv>
#include <vector>

#include "program/user_error.hpp"

namespace heddle::wave {
namespace {

// Batches of the strategies that merge, unless --strategy says otherwise.
constexpr int kLeast = 2, kMost = 16;

constexpr Strategy held(int least, int most, bool when_idle, bool at_end, bool rest_at_end) {
  return {kAllPatches, least, most, when_idle, at_end, rest_at_end, false};
}

constexpr std::array<NamedStrategy, 10> kStrategies{{
    {"native", {}, "each becomes a task immediately"},
    {"hold-back", held(1, 1, false, false, false), "held until somebody waits for one"},
    {"hold-back-and-eventually-native", held(1, 1, false, false, true),
     "held until the primary traversals have ended, then tasks"},
    {"backfill", held(1, 1, true, false, false), "held; threads without a traversal compute some"},
    {"backfill-and-eventually-native", held(1, 1, true, false, true), "the same; what is left becomes tasks"},
    {"merge", held(kLeast, kMost, false, true, false), "held; batches become tasks at the end"},
    {"merge-and-eventually-native", held(kLeast, kMost, false, true, true),
     "the same; what is left becomes tasks"},
    {"merge-and-backfill", held(kLeast, kMost, true, true, false),
     "held; threads without a traversal compute batches"},
    {"merge-and-backfill-and-eventually-native", held(kLeast, kMost, true, true, true),
     "the same; what is left becomes tasks"},
    {"in-runtime", {0, 1, 1, false, false, false, true}, "background tasks of libheddle; nothing is queued"},
}};

struct Flag {
  std::string_view word;
  bool Strategy::* member;
};
constexpr std::array<Flag, 4> kFlags{{{"idle", &Strategy::when_idle},
                                      {"end", &Strategy::at_end},
                                      {"rest", &Strategy::rest_at_end},
                                      {"background", &Strategy::is_background}}};

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw program::UserError("--strategy " + text + ": " + why);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

int parse_count(std::string_view word, const std::string& text) {
  if (word == "all") return kAllPatches;
  int count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error != std::errc() || end != word.data() + word.size() || count < 0)
    refuse(text, "'" + std::string(word) + "' is no number of patches; give one, or all");
  return count;
}

std::string count_text(int count) {
  return count == kAllPatches ? "all" : std::to_string(count);
}

void set_field(Strategy& strategy, std::string_view key, std::string_view value, const std::string& text) {
  if (key == "hold") {
    strategy.hold_limit = parse_count(value, text);
  } else if (key == "fuse") {
    const auto ends = split(value, '-');
    if (ends.size() != 2) refuse(text, "fuse takes LEAST-MOST, such as fuse=2-16");
    strategy.fuse_least = parse_count(ends[0], text);
    strategy.fuse_most = parse_count(ends[1], text);
  } else if (key == "when") {
    for (const std::string_view word : split(value, '+')) {
      if (word == "polled") continue;
      bool is_known = false;
      for (const Flag& flag : kFlags) {
        if (word != flag.word) continue;
        strategy.*flag.member = true;
        is_known = true;
      }
      if (!is_known) refuse(text, "when takes idle, end, rest, background or polled, joined by +");
    }
  } else {
    refuse(text, "it is neither a name that --help lists nor hold=N,fuse=LEAST-MOST,when=WORD+WORD");
  }
}

void check(const Strategy& strategy, const std::string& text) {
  if (strategy.fuse_least < 1 || strategy.fuse_most < strategy.fuse_least)
    refuse(text, "batches have 1 or more patches, and no fewer at most than at least");
  const bool uses_held = strategy.when_idle || strategy.at_end || strategy.rest_at_end;
  if (strategy.hold_limit == 0 && (uses_held || strategy.fuse_most > 1))
    refuse(text, "nothing is held that could be fused, or computed when idle, end or rest; give hold=all");
  if (strategy.is_background && strategy.hold_limit > 0)
    refuse(text, "background tasks are the runtime's, and nothing is held; give hold=0");
}

}  // namespace

std::span<const NamedStrategy> strategies() {
  return kStrategies;
}

std::string to_text(const Strategy& strategy) {
  std::string when;
  for (const Flag& flag : kFlags) {
    if (!(strategy.*flag.member)) continue;
    if (!when.empty()) when += '+';
    when += flag.word;
  }
  return "hold=" + count_text(strategy.hold_limit) + ",fuse=" + count_text(strategy.fuse_least) + "-" +
         count_text(strategy.fuse_most) + ",when=" + (when.empty() ? "polled" : when);
}

Strategy parse_strategy(const std::string& text) {
  for (const NamedStrategy& row : kStrategies) {
    if (row.name == text) return row.strategy;
  }
  Strategy strategy;
  for (const std::string_view field : split(text, ',')) {
    const std::size_t at = field.find('=');
    set_field(strategy, field.substr(0, at), at == std::string_view::npos ? "" : field.substr(at + 1), text);
  }
  check(strategy, text);
  return strategy;
}

std::string name_of(const Strategy& strategy) {
  for (const NamedStrategy& row : kStrategies) {
    if (row.strategy == strategy) return std::string(row.name);
  }
  return to_text(strategy);
}

}  // namespace heddle::wave
