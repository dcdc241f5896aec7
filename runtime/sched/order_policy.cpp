#include "sched/order_policy.hpp"

#include <fstream>

namespace heddle {
namespace {

// Behind all places of a list.
constexpr std::uint64_t kUnlisted = std::uint64_t{1} << 62;
constexpr std::uint64_t kNeverFirst = ~std::uint64_t{0};

constexpr std::uint64_t kHesitatesOnceIn = 32;
constexpr std::uint64_t kLongestDelayUs = 100;

// How often creators run ready tasks, by seed: never, so that all are created first, up to every other time.
// Neighbouring seeds differ in it.
constexpr std::uint64_t kEagerness[] = {0, 2, 32, 8};

}  // namespace

std::optional<std::vector<std::string>> read_order(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != "heddle order 1") return std::nullopt;
  std::vector<std::string> items;
  while (std::getline(in, line)) {
    if (line.size() < 3 || line[1] != ' ' || (line[0] != 's' && line[0] != 'g')) continue;
    items.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return items;
}

OrderPolicy OrderPolicy::fuzz(std::uint64_t seed) {
  OrderPolicy policy(Kind::kFuzz);
  policy.state_ = seed;
  policy.goes_on_in_ = kEagerness[seed % std::size(kEagerness)];
  return policy;
}

OrderPolicy OrderPolicy::replay(const std::vector<std::string>& items) {
  OrderPolicy policy(Kind::kReplay);
  for (const std::string& item : items) policy.places_.emplace(item, policy.places_.size());
  return policy;
}

std::uint64_t OrderPolicy::rank(std::string_view item, std::uint64_t created) {
  switch (kind_) {
    case Kind::kSerial:
      break;
    case Kind::kFuzz:
      return random();
    case Kind::kReplay:
      if (const std::uint64_t place = place_of(item); place != kUnlisted) return place;
      return kUnlisted + ++unlisted_;
  }
  return created;
}

bool OrderPolicy::runs_first(std::uint64_t lowest_rank, std::string_view going_on, bool has_company) {
  switch (kind_) {
    case Kind::kSerial:
      return !has_company;
    case Kind::kFuzz:
      return goes_on_in_ != 0 && happens_once_in(goes_on_in_);
    case Kind::kReplay: {
      const std::uint64_t place = place_of(going_on);
      return lowest_rank < (place != kUnlisted ? place : kNeverFirst);
    }
  }
  return false;
}

std::uint32_t OrderPolicy::delay_us() {
  if (kind_ != Kind::kFuzz || !happens_once_in(kHesitatesOnceIn)) return 0;
  return static_cast<std::uint32_t>(random() % kLongestDelayUs);
}

std::uint64_t OrderPolicy::place_of(std::string_view item) const {
  const auto found = places_.find(std::string(item));
  return found != places_.end() ? found->second : kUnlisted;
}

// Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t OrderPolicy::random() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

}  // namespace heddle
