// Which ready task comes next where the order is not the runtime's own but chosen: by a seed, to bring to
// light what depends on the order; by a list, to repeat an order; or as in a program without tasks.
//
// Words
//   point   a scheduling point at which the executing task can go on: it has created a task, or yields
//   item    what has a place in an order: the start of a task ("1:0.4"), its next part where it is untied
//           ("1:0.4+1"), or that a task goes on behind one of its points ("1:0~7")
//   rank    of a ready task: the lowest that may start is the next
//   serial  every task is executed as soon as it is ready, as if the directives were not there; of several,
//           as those of a taskgraph, the one that was created first
//
// Invariant: what a policy answers follows from what it was made of and the questions it was asked before,
// never from time, threads or addresses. With one thread the whole execution therefore follows from the seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle {

/// What the environment asks for.
struct OrderChoice {
  enum class Kind : std::uint8_t { kNatural, kFuzz, kReplay };
  Kind kind = Kind::kNatural;
  std::uint64_t seed = 0;
  std::string file;  // of a replay
};

/// The items of an order as a log holds them (sched/order_log.hpp). Errors: none where it cannot be read.
std::optional<std::vector<std::string>> read_order(const std::string& file);

class OrderPolicy {
 public:
  static OrderPolicy serial() { return OrderPolicy(Kind::kSerial); }
  static OrderPolicy fuzz(std::uint64_t seed);
  /// Items that are not in the list come after all others, and are then executed serially.
  static OrderPolicy replay(const std::vector<std::string>& items);

  /// Whether the items asked for have to be named; where not, their names may be empty.
  bool knows_names() const { return kind_ == Kind::kReplay; }

  /// The rank of a task that becomes ready. created: which of the process's tasks it was when it was created.
  std::uint64_t rank(std::string_view item, std::uint64_t created);

  /// At a point: whether the ready task of the lowest rank runs before the executing task goes on, which is
  /// the item `going_on`. has_company: other threads execute tasks as well.
  bool runs_first(std::uint64_t lowest_rank, std::string_view going_on, bool has_company);

  /// How long a thread is to hesitate, among several: mostly not at all.
  std::uint32_t delay_us();

 private:
  enum class Kind : std::uint8_t { kSerial, kFuzz, kReplay };
  explicit OrderPolicy(Kind kind) : kind_(kind) {}

  std::uint64_t random();
  bool happens_once_in(std::uint64_t times) { return random() % times == 0; }
  std::uint64_t place_of(std::string_view item) const;

  Kind kind_;
  std::uint64_t state_ = 0;       // of the generator
  std::uint64_t goes_on_in_ = 1;  // one of so many times a ready task runs at a point; 0: never
  std::uint64_t unlisted_ = 0;    // tasks so far that are not in the list
  std::unordered_map<std::string, std::uint64_t> places_;
};

}  // namespace heddle
