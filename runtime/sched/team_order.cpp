#include "sched/team_order.hpp"

#include <mutex>
#include <new>

#include "sched/ready_set.hpp"

namespace heddle {

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
  ready_.emplace(Rank{whole_.policy_.rank(item_of(task)), ++arrivals_}, &task);
  count_.store(ready_.size(), std::memory_order_seq_cst);  // pairs with the load in take()
}

Task* TeamOrder::take(const Task* constraint) {
  if (constraint != nullptr) has_constrained_looks_.store(true, std::memory_order_seq_cst);
  if (count_.load(std::memory_order_seq_cst) == 0) return nullptr;
  const std::lock_guard guard(whole_.lock_);
  const auto at = next_allowed(constraint);
  return at != ready_.end() ? take_out(at) : nullptr;
}

Task* TeamOrder::take_at_point(const Task& current, const Task* constraint, int member, bool has_company,
                               bool is_deep) {
  const std::lock_guard guard(whole_.lock_);
  const std::string going_on = whole_.has_names_ ? whole_.names_.going_on_of(current) : std::string();
  if (!is_deep) {
    const auto at = next_allowed(constraint);
    if (at != ready_.end() && whole_.policy_.runs_first(at->first.first, going_on, has_company))
      return take_out(at);
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
  count_.store(0, std::memory_order_relaxed);
}

TeamOrder::Pool::iterator TeamOrder::next_allowed(const Task* constraint) {
  auto at = ready_.begin();
  while (at != ready_.end() && !may_start(*at->second, {constraint, nullptr})) ++at;
  return at;
}

Task* TeamOrder::take_out(Pool::iterator at) {
  Task* const task = at->second;
  ready_.erase(at);
  count_.store(ready_.size(), std::memory_order_relaxed);
  return task;
}

std::string TeamOrder::item_of(const Task& task) {
  return whole_.policy_.knows_names() ? whole_.names_.start_of(task) : std::string();
}

}  // namespace heddle
