#include "icv/place_list.hpp"

#include <charconv>
#include <set>

#include "base/enum_table.hpp"

namespace heddle {
namespace {

constexpr EnumTable<AbstractPlace, 5> kAbstractNames{{{AbstractPlace::kThreads, "threads"},
                                                      {AbstractPlace::kCores, "cores"},
                                                      {AbstractPlace::kLastLevelCaches, "ll_caches"},
                                                      {AbstractPlace::kNumaDomains, "numa_domains"},
                                                      {AbstractPlace::kSockets, "sockets"}}};
static_assert(is_bijective(kAbstractNames));

// Reads from the front of a text; every taker leaves the text behind what it took.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }
  std::optional<int> take_int() {
    std::string_view digits = rest_;
    if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{}) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_blanks();
    return value;
  }
  std::string_view take_word() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (rest_[length] == '_' || ((rest_[length] | 0x20) >= 'a' && (rest_[length] | 0x20) <= 'z')))
      ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    skip_blanks();
    return word;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

struct Interval {
  int count = 1;
  int stride = 1;
};

// [:count[:stride]]
std::optional<Interval> take_interval(Cursor& cursor) {
  Interval interval;
  if (!cursor.take(':')) return interval;
  const auto count = cursor.take_int();
  if (!count || *count < 1 || *count > kMostProcessors) return {};
  interval.count = *count;
  if (!cursor.take(':')) return interval;
  const auto stride = cursor.take_int();
  if (!stride || *stride < -kMostProcessors || *stride > kMostProcessors) return {};
  interval.stride = *stride;
  return interval;
}

bool is_processor(long number) {
  return number >= 0 && number < kMostProcessors;
}

// [!]first[:count[:stride]], added to the processors or taken from them
bool take_processors(Cursor& cursor, std::set<int>& processors) {
  const bool excludes = cursor.take('!');
  const auto first = cursor.take_int();
  if (!first || !is_processor(*first)) return false;
  const auto interval = excludes ? std::optional(Interval{}) : take_interval(cursor);
  if (!interval) return false;
  for (int i = 0; i < interval->count; ++i) {
    const long processor = *first + static_cast<long>(i) * interval->stride;
    if (!is_processor(processor)) return false;
    if (excludes)
      processors.erase(static_cast<int>(processor));
    else
      processors.insert(static_cast<int>(processor));
  }
  return true;
}

// {list} or a single processor
std::optional<ProcessorSet> take_place(Cursor& cursor) {
  std::set<int> processors;
  if (!cursor.take('{')) {
    const auto processor = cursor.take_int();
    if (!processor || !is_processor(*processor)) return {};
    return ProcessorSet{*processor};
  }
  do {
    if (!take_processors(cursor, processors)) return {};
  } while (cursor.take(','));
  if (!cursor.take('}') || processors.empty()) return {};
  return ProcessorSet(processors.begin(), processors.end());
}

// [!]place[:count[:stride]]
bool take_places(Cursor& cursor, std::vector<ProcessorSet>& places) {
  const bool excludes = cursor.take('!');
  auto place = take_place(cursor);
  if (!place) return false;
  if (excludes) {
    std::erase(places, *place);
    return true;
  }
  const auto interval = take_interval(cursor);
  if (!interval || places.size() + static_cast<std::size_t>(interval->count) > kMostProcessors) return false;
  for (int i = 0; i < interval->count; ++i) {
    if (!is_processor(place->front()) || !is_processor(place->back())) return false;
    places.push_back(*place);
    for (int& processor : *place) processor += interval->stride;
  }
  return true;
}

std::optional<PlaceList> take_abstract(Cursor& cursor) {
  const auto name = parse(kAbstractNames, cursor.take_word());
  if (!name) return {};
  PlaceList result{name, 0, {}};
  if (cursor.take('(')) {
    const auto count = cursor.take_int();
    if (!count || *count < 1 || !cursor.take(')')) return {};
    result.count = *count;
  }
  if (!cursor.at_end()) return {};
  return result;
}

// first[-last[:stride]]
bool take_processor_range(Cursor& cursor, std::vector<ProcessorSet>& places) {
  const auto first = cursor.take_int();
  if (!first || !is_processor(*first)) return false;
  int last = *first, stride = 1;
  if (cursor.take('-')) {
    const auto end = cursor.take_int();
    if (!end || !is_processor(*end) || *end < *first) return false;
    last = *end;
    if (cursor.take(':')) {
      const auto step = cursor.take_int();
      if (!step || *step < 1) return false;
      stride = *step;
    }
  }
  for (long processor = *first; processor <= last; processor += stride) {
    if (places.size() == kMostProcessors) return false;
    places.push_back({static_cast<int>(processor)});
  }
  return true;
}

}  // namespace

std::optional<PlaceList> parse_processor_list(std::string_view text) {
  Cursor cursor(text);
  PlaceList result;
  while (!cursor.at_end()) {
    if (!take_processor_range(cursor, result.places)) return {};
    cursor.take(',');
  }
  if (result.places.empty()) return {};
  return result;
}

std::optional<PlaceList> parse_place_list(std::string_view text) {
  Cursor names(text);
  if (auto abstract = take_abstract(names)) return abstract;
  Cursor cursor(text);
  PlaceList result;
  do {
    if (!take_places(cursor, result.places)) return {};
  } while (cursor.take(','));
  if (!cursor.at_end() || result.places.empty()) return {};
  return result;
}

}  // namespace heddle
