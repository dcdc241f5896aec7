#include "sched/team_order.hpp"

#include <mutex>
#include <new>

namespace heddle {
namespace {

// Tasks that recurse deeper are looked for one by one.
constexpr std::size_t kMostElders = 64;

}  // namespace

ChosenOrder::ChosenOrder(OrderPolicy policy, const std::string& log_file)
    : policy_(std::move(policy)), has_names_(!log_file.empty() || policy_.knows_names()) {
  if (!log_file.empty()) log_.emplace(log_file);
}

void TeamOrder::open_region(const Task& encountering) {
  has_constrained_looks_.store(false, std::memory_order_relaxed);
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
  count_.fetch_add(1, std::memory_order_seq_cst);  // pairs with the load in take()
}

Task* TeamOrder::take(StartRule rule) {
  if (rule.constraint != nullptr || rule.wanted != nullptr)
    has_constrained_looks_.store(true, std::memory_order_seq_cst);
  if (count_.load(std::memory_order_seq_cst) == 0) return nullptr;
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

std::uint32_t TeamOrder::delay_us() {
  const std::lock_guard guard(whole_.lock_);
  return whole_.policy_.delay_us();
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
  count_.store(0, std::memory_order_relaxed);
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
  count_.fetch_sub(1, std::memory_order_relaxed);
  return task;
}

std::string TeamOrder::item_of(const Task& task) {
  return whole_.policy_.knows_names() ? whole_.names_.start_of(task) : std::string();
}

}  // namespace heddle
