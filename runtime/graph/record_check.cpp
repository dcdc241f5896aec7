#include "graph/record_check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle {
namespace {

using Word = std::uint64_t;
using What = RecordDifference::What;

// A note, and what its run says of it.
struct Item {
  Notes::What what;
  Gate gate;
  GraphNode node;
  GraphEvent* event;
  std::vector<Dependence> dependences;

  // As it was captured: a body may have changed data that do not move.
  const char* data() const { return node.kind->moves ? node.data : static_cast<const char*>(node.image()); }
};

std::vector<Item> items_of(const Notes& notes) {
  std::vector<Item> items;
  std::vector<Dependence> room;
  notes.for_each_run([&](const Notes::Run& run) {
    run.for_each([&](const Notes::Note& note) {
      const auto dependences = note.dependences(room);
      items.push_back(
          {run.what(), run.gate(), note.node(), note.event(), {dependences.begin(), dependences.end()}});
    });
  });
  return items;
}

// Pairs of words that mean the same in both: handles of the events of one task.
using EqualWords = std::vector<std::pair<Word, Word>>;

EqualWords handles_of(const std::vector<Item>& recorded, const std::vector<Item>& now) {
  EqualWords equal;
  for (std::size_t i = 0; i < std::min(recorded.size(), now.size()); ++i)
    if (recorded[i].event != nullptr && now[i].event != nullptr)
      equal.emplace_back(reinterpret_cast<Word>(recorded[i].event->handle()),
                         reinterpret_cast<Word>(now[i].event->handle()));
  return equal;
}

bool is_same_dependence(const Dependence& a, const Dependence& b) {
  return a.kind == b.kind && a.is_all_memory == b.is_all_memory &&
         (a.is_all_memory || a.address == b.address);
}

class Comparison {
 public:
  Comparison(const EqualWords& equal, std::size_t most) : equal_(equal), most_(most) {}

  bool is_full() const { return found_.size() >= most_; }
  std::vector<RecordDifference> take() { return std::move(found_); }

  void compare(std::size_t number, const Item& recorded, const Item& now, bool compares_data) {
    const bool is_same_construct = recorded.what == now.what && recorded.gate == now.gate &&
                                   *recorded.node.kind == *now.node.kind &&
                                   (recorded.event == nullptr) == (now.event == nullptr);
    if (!is_same_construct) return add(What::kConstruct, number, now);
    if (!std::ranges::equal(recorded.dependences, now.dependences, is_same_dependence))
      return add(What::kDependences, number, now);
    if (compares_data && now.node.kind->bytes != 0) compare_data(number, recorded, now);
  }

  void add_counts(std::size_t recorded, std::size_t now) {
    found_.push_back({.what = What::kCount, .task = now, .recorded = recorded});
  }

 private:
  RecordDifference& push(What what, std::size_t number, const Item& now) {
    found_.push_back({.what = what, .task = number, .code = now.node.kind->code});
    return found_.back();
  }
  void add(What what, std::size_t number, const Item& now) { push(what, number, now); }

  void compare_data(std::size_t number, const Item& recorded, const Item& now) {
    const char* const before = recorded.data();
    const char* const after = now.data();
    const std::size_t bytes = now.node.kind->bytes;  // whole words
    for (std::size_t at = 0; at < bytes && !is_full(); at += sizeof(Word)) {
      Word was, is;
      std::memcpy(&was, before + at, sizeof was);
      std::memcpy(&is, after + at, sizeof is);
      if (was == is || mean_the_same(was, recorded, is, now)) continue;
      std::size_t first = 0, last = sizeof(Word) - 1;
      while (before[at + first] == after[at + first]) ++first;
      while (before[at + last] == after[at + last]) --last;
      RecordDifference& found = push(What::kData, number, now);
      found.first_byte = at + first;
      found.last_byte = at + last;
      std::memcpy(&found.was, before + at + first, last - first + 1);
      std::memcpy(&found.is, after + at + first, last - first + 1);
    }
  }

  bool mean_the_same(Word was, const Item& recorded, Word is, const Item& now) const {
    // What a body gets may be the copy in front of the image.
    const auto offset = [](Word word, const Item& item) {
      return word - reinterpret_cast<Word>(item.node.data);
    };
    const std::size_t reach = now.node.kind->bytes * 2;
    if (offset(was, recorded) == offset(is, now) && offset(is, now) < reach) return true;
    return std::ranges::find(equal_, std::pair(was, is)) != equal_.end();
  }

  const EqualWords& equal_;
  const std::size_t most_;
  std::vector<RecordDifference> found_;
};

}  // namespace

std::vector<RecordDifference> compare_records(const Notes& recorded, const Notes& now, bool compares_data,
                                              std::size_t most) {
  const std::vector<Item> before = items_of(recorded), after = items_of(now);
  const EqualWords equal = handles_of(before, after);
  Comparison comparison(equal, most);
  const std::size_t common = std::min(before.size(), after.size());
  for (std::size_t i = 0; i < common && !comparison.is_full(); ++i)
    comparison.compare(i, before[i], after[i], compares_data);
  if (before.size() != after.size() && !comparison.is_full())
    comparison.add_counts(before.size(), after.size());
  return comparison.take();
}

}  // namespace heddle
