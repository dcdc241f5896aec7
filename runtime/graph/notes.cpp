#include "graph/notes.hpp"

#include <algorithm>
#include <new>

#include "sys/fatal.hpp"

namespace heddle {
namespace {

constexpr unsigned kAllMemory = 0x80;  // in a byte that tells an access

unsigned access_of(const Dependence& dependence) {
  return static_cast<unsigned>(dependence.kind) | (dependence.is_all_memory ? kAllMemory : 0);
}

}  // namespace

Notes::~Notes() {
  for (const auto& [destroy, object] : objects_) destroy(object);
  while (first_ != nullptr) ::operator delete(std::exchange(first_, first_->next));
}

std::size_t Notes::HashOfKind::operator()(const Kind& kind) const {
  const std::uint64_t shape = std::uint64_t{kind.node.bytes} << 32 | kind.words;
  const std::uint64_t rest = std::uint64_t{static_cast<std::uint32_t>(kind.priority)} << 32 |
                             std::uint64_t{kind.flags} << 8 | static_cast<unsigned>(kind.what);
  return hash_of(hash_of(hash_of(hash_of(kind.node.code) ^ kind.accesses) ^ shape) ^ rest);
}

void Notes::add_block(std::size_t words) {
  const std::size_t bytes = std::max(next_bytes_, sizeof(Block) + (words + 1) * sizeof(Word));
  next_bytes_ = std::min(2 * next_bytes_, kLargestBlock);
  auto* const block = new (::operator new(bytes)) Block{nullptr};
  if (last_ != nullptr) {
    *at_ = kEndOfBlock;
    last_->next = block;
  } else {
    first_ = block;
  }
  last_ = block;
  at_ = block->begin();
  end_ = at_ + (bytes - sizeof(Block)) / sizeof(Word) - 1;
}

Notes::Word* Notes::add(Kind kind, std::span<const Dependence> dependences) {
  const bool are_many = dependences.size() > kFewDependences;
  kind.dependences = are_many ? kMany : static_cast<std::uint32_t>(dependences.size());
  if (!are_many)
    for (const Dependence& d : dependences) kind.accesses = kind.accesses << 8 | access_of(d);
  kind.words += static_cast<std::uint32_t>(1 + words_for(dependences.size()));
  if (static_cast<std::size_t>(end_ - at_) < kind.words) add_block(kind.words);
  if (last_kind_ == nullptr || *last_kind_ != kind) last_kind_ = &*kinds_.insert(kind).first;
  Word* to = std::exchange(at_, at_ + kind.words);
  *to++ = reinterpret_cast<Word>(last_kind_);
  if (are_many) {
    *to++ = dependences.size();
    std::memcpy(to, dependences.data(), dependences.size_bytes());
    to += dependences.size_bytes() / sizeof(Word);
  } else {
    for (const Dependence& d : dependences) *to++ = reinterpret_cast<Word>(d.address);
  }
  ++size_;
  return to;
}

void Notes::add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate) {
  const std::size_t bytes = (body.bytes + sizeof(Word) - 1) / sizeof(Word) * sizeof(Word);
  Kind kind{.priority = body.priority,
            .flags = static_cast<std::uint16_t>(body.flags),
            .gate = gate,
            .has_event = body.event != nullptr};
  kind.node.run = body.run;
  kind.node.code = body.code;
  kind.node.waits_for_descendants = body.waits_for_descendants || (open_groups_ > 0 && !body.is_of_group);
  if (bytes != 0) {
    // A task with an event may be at work on its data after its body has returned.
    kind.node.moves =
        body.data_may_move && !body.keeps_data && body.event == nullptr && fits_stack(bytes, body.alignment);
    kind.node.bytes = static_cast<std::uint32_t>(body.keeps_data ? 0 : bytes);
    kind.data = kind.node.moves ? Data::kHere : Data::kApart;
    kind.words += static_cast<std::uint32_t>(kind.node.moves ? bytes / sizeof(Word) : 1);
  }
  kind.words += kind.has_event ? 1 : 0;
  // Before the note, since a copy constructor may throw.
  char* const apart = kind.data == Data::kApart ? copy_apart(body, bytes) : nullptr;
  Word* next = add(kind, dependences);
  if (kind.data == Data::kHere)
    std::memcpy(next, body.data, body.bytes);
  else if (kind.data == Data::kApart)
    *next++ = reinterpret_cast<Word>(apart);
  if (kind.has_event) {
    *next = reinterpret_cast<Word>(body.event);
    awaited_events_.erase(body.data);
  }
  has_priorities_ |= body.priority != 0;
  ++tasks_;
}

void Notes::remember(const Signature& signature) {
  const Kind& kind = *last_kind_;
  if (kind.what == What::kTask && kind.data != Data::kApart && kind.dependences != kMany && !kind.has_event)
    remembered_[place_of(signature)] = {signature, &kind};
}

char* Notes::copy_apart(const TaskBody& body, std::size_t bytes) {
  const std::size_t image = body.keeps_data ? 0 : bytes;
  auto* const data =
      static_cast<char*>(apart_.allocate(bytes + image, std::max(body.alignment, sizeof(Word))));
  if (body.copy != nullptr)
    body.copy(data, const_cast<void*>(body.data));  // as compilers declare what they generate
  else
    std::memcpy(data, body.data, body.bytes);
  if (body.destroy != nullptr) objects_.emplace_back(body.destroy, data);
  std::memcpy(data + bytes, data, image);
  return data;
}

GraphEvent& Notes::event_of(const void* task) {
  GraphEvent*& event = awaited_events_[task];
  if (event == nullptr) {
    std::pmr::polymorphic_allocator<GraphEvent> allocator(&apart_);
    event = new (allocator.allocate(1)) GraphEvent;
    events_.push_back(event);
  }
  return *event;
}

void Notes::begin_group() {
  ++open_groups_;
  remembered_ = {};
  add({.what = What::kGroupBegin}, {});
}

void Notes::end_group() {
  HEDDLE_ASSERT(open_groups_ > 0);
  --open_groups_;
  remembered_ = {};
  add({.what = What::kGroupEnd}, {});
}

void Notes::end_events() {
  for (GraphEvent* const event : events_) event->end();
}

std::span<const Dependence> Notes::Note::dependences(std::vector<Dependence>& room) const {
  if (kind_.dependences == kMany) return {reinterpret_cast<const Dependence*>(words_ + 1), *words_};
  room.clear();
  for (unsigned i = 0; i < kind_.dependences; ++i) {
    const auto access = static_cast<unsigned>(kind_.accesses >> (8 * (kind_.dependences - 1 - i)) & 0xff);
    room.push_back({reinterpret_cast<void*>(words_[i]), static_cast<AccessKind>(access & ~kAllMemory),
                    (access & kAllMemory) != 0});
  }
  return room;
}

}  // namespace heddle
