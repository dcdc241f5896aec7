#include "sched/chosen_order.hpp"

#include <fstream>
#include <mutex>
#include <new>

#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "sys/processor.hpp"

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

OrderLog::OrderLog(const std::string& file) : file_(std::fopen(file.c_str(), "we")) {
  if (file_ == nullptr) {
    warn("HEDDLE_ORDER_LOG='%s' cannot be written; there will be no log", file.c_str());
    return;
  }
  std::fputs("heddle order 1\n", file_);
  std::fflush(file_);
}

OrderLog::~OrderLog() {
  if (file_ != nullptr) std::fclose(file_);
}

void OrderLog::starts(const std::string& item, const void* code, int thread, bool is_at_creation) {
  if (file_ == nullptr) return;
  const int number = codes_.of(code, file_);
  std::fprintf(file_, "s %s %d %d%s\n", item.c_str(), number, thread, is_at_creation ? " !" : "");
  std::fflush(file_);
}

void OrderLog::starts_undeferred(const std::string& name, const void* code, int thread) {
  if (file_ == nullptr) return;
  const int number = codes_.of(code, file_);
  std::fprintf(file_, "u %s %d %d\n", name.c_str(), number, thread);
  std::fflush(file_);
}

void OrderLog::goes_on(const std::string& item, int thread, const std::string& created) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "g %s %d%s%s\n", item.c_str(), thread, created.empty() ? "" : " ", created.c_str());
  std::fflush(file_);
}

void OrderLog::ends(const std::string& name, int thread) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "e %s %d\n", name.c_str(), thread);
  std::fflush(file_);
}

void TaskNames::name_child(const Task& task, const void* code) {
  NamedTask& parent = of(*task.parent);
  NamedTask child;
  child.name = parent.name + '.' + std::to_string(parent.children++);
  child.code = code;
  child.number = ++named_;
  parent.newborn = &task;
  tasks_[&task] = std::move(child);
}

std::string TaskNames::name_region(const Task& task) {
  NamedTask& opener = of(task);
  const std::string number = std::to_string(++opener.regions) + ':';
  return opener.name == "0:0" ? number : opener.name + '/' + number;
}

std::string TaskNames::start_of(const Task& task) {
  const NamedTask& known = of(task);
  return known.parts == 0 ? known.name : known.name + '+' + std::to_string(known.parts);
}

std::string TaskNames::going_on_of(const Task& task) {
  const NamedTask& known = of(task);
  return known.name + '~' + std::to_string(known.points);
}

std::string TaskNames::newborn_of(const Task& task) {
  const NamedTask& known = of(task);
  if (known.newborn == nullptr) return {};
  return known.name + '.' + std::to_string(known.children - 1);
}

namespace {

// Tasks that recurse deeper are looked for one by one.
constexpr std::size_t kMostElders = 64;

}  // namespace

ChosenOrder::ChosenOrder(OrderPolicy policy, const std::string& log_file)
    : policy_(std::move(policy)), has_names_(!log_file.empty() || policy_.knows_names()) {
  if (!log_file.empty()) log_.emplace(log_file);
}

void TeamOrder::open_region(const Task& encountering) {
  if (!whole_.has_names_) return;
  const std::lock_guard guard(whole_.lock_);
  region_ = whole_.names_.name_region(encountering);
}

void TeamOrder::begin_implicit(const Task& task, int member) {
  if (!whole_.has_names_) return;
  const std::lock_guard guard(whole_.lock_);
  whole_.names_.name_implicit(task, (region_.empty() ? "0:" : region_) + std::to_string(member));
}

void TeamOrder::created(const Task& task, const void* code) {
  if (!whole_.has_names_) return;
  const std::lock_guard guard(whole_.lock_);
  whole_.names_.name_child(task, code);
}

void TeamOrder::make_ready(Task& task) {
  const std::lock_guard guard(whole_.lock_);
  const std::uint64_t created = whole_.has_names_ ? whole_.names_.of(task).number : 0;
  const Rank rank{whole_.policy_.rank(item_of(task), created), ++arrivals_};
  Ready entry{&task, {}, false};
  const Task* elder = task.parent;
  for (; elder != nullptr && entry.elders.size() < kMostElders; elder = elder->parent) {
    entry.elders.push_back(elder);
    by_elder_[elder].insert(rank);
  }
  entry.has_more_elders = elder != nullptr;
  with_more_elders_ += entry.has_more_elders;
  ready_.emplace(rank, std::move(entry));
  count_.add();
}

Task* TeamOrder::take(StartRule rule) {
  if (count_.looks_empty()) return nullptr;
  const std::lock_guard guard(whole_.lock_);
  const auto next = next_allowed(rule);
  return next != ready_.end() ? take_out(next) : nullptr;
}

Task* TeamOrder::take_at_point(const Task& current, StartRule rule, int member, bool has_company,
                               bool is_deep) {
  const std::lock_guard guard(whole_.lock_);
  const std::string going_on = whole_.has_names_ ? whole_.names_.going_on_of(current) : std::string();
  if (!is_deep) {
    const auto next = next_allowed(rule);
    if (next != ready_.end() && whole_.policy_.runs_first(next->first.first, going_on, has_company))
      return take_out(next);
  }
  if (whole_.has_names_) {
    if (whole_.log_) whole_.log_->goes_on(going_on, member, whole_.names_.newborn_of(current));
    NamedTask& known = whole_.names_.of(current);
    ++known.points;
    known.newborn = nullptr;
  }
  return nullptr;
}

void TeamOrder::hesitate(int members) {
  if (members == 1) return;
  std::uint32_t delay_us = 0;
  {
    const std::lock_guard guard(whole_.lock_);
    delay_us = whole_.policy_.delay_us();
  }
  if (delay_us == 0) return;
  for (const std::int64_t until = monotonic_ns() + std::int64_t{delay_us} * 1000; monotonic_ns() < until;)
    yield_cpu();
}

void TeamOrder::starts(const Task& task, int member) {
  if (!whole_.has_names_) return;
  const std::lock_guard guard(whole_.lock_);
  const std::string item = whole_.names_.start_of(task);
  NamedTask& known = whole_.names_.of(task);
  ++known.parts;
  if (whole_.log_)
    whole_.log_->starts(item, known.code, member, whole_.names_.of(*task.parent).newborn == &task);
}

void TeamOrder::starts_undeferred(const Task& task, int member) {
  if (!whole_.has_names_) return;
  const std::lock_guard guard(whole_.lock_);
  const NamedTask& known = whole_.names_.of(task);
  if (whole_.log_) whole_.log_->starts_undeferred(known.name, known.code, member);
}

void TeamOrder::ends(const Task& task, int member) {
  if (!whole_.log_) return;
  const std::lock_guard guard(whole_.lock_);
  if (whole_.log_) whole_.log_->ends(whole_.names_.of(task).name, member);
}

void TeamOrder::survive_fork() {
  new (&whole_.lock_) FutexLock;  // a lost thread may have held it
  whole_.log_.reset();
  ready_.clear();
  by_elder_.clear();
  with_more_elders_ = 0;
  count_.reset();
}

TeamOrder::Pool::iterator TeamOrder::next_allowed(StartRule rule) {
  if (rule.constraint == nullptr || with_more_elders_ != 0) {
    auto at = ready_.begin();
    while (at != ready_.end() && !may_start(*at->second.task, rule)) ++at;
    return at;
  }
  const auto younger = by_elder_.find(rule.constraint);
  if (younger == by_elder_.end()) return ready_.end();
  for (const Rank& rank : younger->second)
    if (const auto at = ready_.find(rank); may_start(*at->second.task, rule)) return at;
  return ready_.end();
}

Task* TeamOrder::take_out(Pool::iterator at) {
  for (const Task* elder : at->second.elders) {
    const auto younger = by_elder_.find(elder);
    younger->second.erase(at->first);
    if (younger->second.empty()) by_elder_.erase(younger);
  }
  with_more_elders_ -= at->second.has_more_elders;
  Task* const task = at->second.task;
  ready_.erase(at);
  count_.remove();
  return task;
}

std::string TeamOrder::item_of(const Task& task) {
  return whole_.policy_.knows_names() ? whole_.names_.start_of(task) : std::string();
}

}  // namespace heddle
