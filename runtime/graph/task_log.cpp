#include "graph/task_log.hpp"

#include <algorithm>
#include <new>

#include "mem/large_blocks.hpp"
#include "sys/fatal.hpp"

namespace heddle {

namespace {

constexpr unsigned kAllMemory = 0x80;  // in a byte that encodes an access

unsigned access_of(const Dependence& dependence) {
  return static_cast<unsigned>(dependence.kind) | (dependence.is_all_memory ? kAllMemory : 0);
}

void copy_data(const TaskBody& body, void* to) {
  if (body.copy != nullptr)
    body.copy(to, const_cast<void*>(body.data));  // as compilers declare what they generate
  else
    std::memcpy(to, body.data, body.bytes);
}

}  // namespace

TaskLog::~TaskLog() {
  clear();
  while (first_ != nullptr) {
    Block* const block = std::exchange(first_, first_->next);
    LargeBlocks::of_process().deallocate(block, block->bytes(), alignof(Block));
  }
}

std::size_t TaskLog::HashOfKind::operator()(const Kind& kind) const {
  const std::uint64_t shape = std::uint64_t{kind.node.bytes} << 32 | kind.words;
  const std::uint64_t rest = std::uint64_t{static_cast<std::uint32_t>(kind.node.priority)} << 32 |
                             std::uint64_t{kind.node.flags} << 8 | static_cast<unsigned>(kind.what);
  return hash_of(hash_of(hash_of(hash_of(kind.node.code) ^ kind.accesses) ^ shape) ^ rest);
}

void TaskLog::add_block(std::size_t words) {
  Block* const unused = last_ != nullptr ? last_->next : first_;
  Block* block = unused;
  if (unused == nullptr || unused->words < words + kSlack) {
    const std::size_t bytes = std::max(next_bytes_, sizeof(Block) + (words + kSlack) * sizeof(Word));
    next_bytes_ = std::min(2 * next_bytes_, kLargestBlock);
    block_bytes_ += bytes;
    block = new (LargeBlocks::of_process().allocate(bytes, alignof(Block)))
        Block{unused, (bytes - sizeof(Block)) / sizeof(Word)};
  }
  if (last_ != nullptr) {
    *at_ = kEndOfBlock;
    last_->next = block;
  } else {
    first_ = block;
  }
  last_ = block;
  at_ = block->begin();
  end_ = at_ + block->words - kSlack;
}

void TaskLog::clear() {
  for (const auto& [destroy, object] : objects_) destroy(object);
  objects_.clear();
  out_of_line_.release();
  out_of_line_bytes_ = 0;
  awaited_events_.clear();
  has_events_ = false;
  kinds_.clear();
  remembered_ = {};
  run_ = nullptr;
  run_kind_ = nullptr;
  run_signature_ = {};
  last_ = nullptr;
  at_ = end_ = nullptr;
  size_ = others_ = 0;
  open_groups_ = 0;
  has_priorities_ = false;
}

void TaskLog::begin_run(const Kind& kind) {
  if (run_ != nullptr) run_[1] = reinterpret_cast<Word>(at_);
  const std::size_t words = kHeader + kind.words;
  if (static_cast<std::size_t>(end_ - at_) < words) add_block(words);
  run_ = at_;
  run_[0] = reinterpret_cast<Word>(&kind);
  run_kind_ = &kind;
  run_signature_ = {};
  at_ += kHeader;
}

TaskLog::Word* TaskLog::add(Kind kind, std::span<const Dependence> dependences) {
  const bool are_many = dependences.size() > kFewDependences;
  kind.dependences = are_many ? kMany : static_cast<std::uint32_t>(dependences.size());
  if (!are_many)
    for (const Dependence& d : dependences) kind.accesses = kind.accesses << 8 | access_of(d);
  kind.words += static_cast<std::uint32_t>(words_for(dependences.size()));
  kind.words = std::max(kind.words, 1u);
  const bool is_again = run_kind_ != nullptr && *run_kind_ == kind;
  const Kind& kept = is_again ? *run_kind_ : *kinds_.insert(kind).first;
  if (&kept != run_kind_ || at_ + kept.words > end_) begin_run(kept);
  Word* to = std::exchange(at_, at_ + kept.words);
  ++size_;
  if (are_many) {
    *to++ = dependences.size();
    std::memcpy(to, dependences.data(), dependences.size_bytes());
    to += dependences.size_bytes() / sizeof(Word);
  } else {
    for (const Dependence& d : dependences) *to++ = reinterpret_cast<Word>(d.address);
  }
  return to;
}

void TaskLog::add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate) {
  const std::size_t bytes = (body.bytes + sizeof(Word) - 1) / sizeof(Word) * sizeof(Word);
  Kind kind{.gate = gate, .has_event = body.event != nullptr};
  kind.node.run = body.run;
  kind.node.code = body.code;
  kind.node.priority = body.priority;
  kind.node.header_bytes = static_cast<std::uint16_t>(body.header_bytes);
  kind.node.flags = static_cast<std::uint16_t>(body.flags);
  kind.node.waits_for_descendants = body.waits_for_descendants || (open_groups_ > 0 && !body.is_of_group);
  if (bytes != 0) {
    // A task with an event may be at work on its data after its body has returned.
    kind.node.moves =
        body.data_may_move && !body.keeps_data && body.event == nullptr && fits_stack(bytes, body.alignment);
    kind.node.bytes = static_cast<std::uint32_t>(body.keeps_data ? 0 : bytes);
    kind.data = kind.node.moves ? Data::kHere : Data::kOutOfLine;
    kind.words += static_cast<std::uint32_t>(kind.node.moves ? bytes / sizeof(Word) : 1);
  }
  kind.words += kind.has_event ? 1 : 0;
  // Before the entry, since a copy constructor may throw; what may move has none.
  char* const out_of_line = kind.data == Data::kOutOfLine ? copy_out_of_line(body, bytes) : nullptr;
  kind.is_simple = kind.data != Data::kOutOfLine && dependences.size() <= kFewDependences &&
                   body.run != nullptr && !kind.node.waits_for_descendants && !kind.has_event;
  Word* next = add(kind, dependences);
  if (kind.data == Data::kHere)
    copy_data(body, next);
  else if (kind.data == Data::kOutOfLine)
    *next++ = reinterpret_cast<Word>(out_of_line);
  if (kind.has_event) {
    *next = reinterpret_cast<Word>(body.event);
    awaited_events_.erase(body.data);
  }
  has_priorities_ |= body.priority != 0;
  if (body.run == nullptr) ++others_;
}

void TaskLog::add_other(What what, std::span<const Dependence> dependences) {
  add({.what = what}, dependences);
  ++others_;
}

bool TaskLog::begin_run_like(const Signature& signature) {
  const Remembered& like = remembered_[place_of(signature)];
  if (like.signature != signature || size_ >= kMost) return false;
  begin_run(*like.kind);
  run_signature_ = signature;
  return true;
}

void TaskLog::remember(const Signature& signature) {
  if (!run_kind_->is_simple) return;
  remembered_[place_of(signature)] = {signature, run_kind_};
  run_signature_ = signature;
}

char* TaskLog::copy_out_of_line(const TaskBody& body, std::size_t bytes) {
  const std::size_t image = body.keeps_data ? 0 : bytes;
  out_of_line_bytes_ += bytes + image;
  auto* const data =
      static_cast<char*>(out_of_line_.allocate(bytes + image, std::max(body.alignment, sizeof(Word))));
  copy_data(body, data);
  if (body.destroy != nullptr) objects_.emplace_back(body.destroy, data);
  std::memcpy(data + bytes, data, image);
  return data;
}

GraphEvent& TaskLog::event_of(const void* task) {
  GraphEvent*& event = awaited_events_[task];
  if (event == nullptr) {
    std::pmr::polymorphic_allocator<GraphEvent> allocator(&out_of_line_);
    event = new (allocator.allocate(1)) GraphEvent;
    has_events_ = true;
  }
  return *event;
}

GraphEvent* TaskLog::awaited_event_of(const void* task) const {
  const auto at = awaited_events_.find(task);
  return at != awaited_events_.end() ? at->second : nullptr;
}

void TaskLog::begin_group() {
  ++open_groups_;
  remembered_ = {};
  add_other(What::kGroupBegin, {});
}

void TaskLog::end_group() {
  HEDDLE_ASSERT(open_groups_ > 0);
  --open_groups_;
  remembered_ = {};
  add_other(What::kGroupEnd, {});
}

std::span<const Dependence> TaskLog::Entry::dependences(std::vector<Dependence>& room) const {
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
