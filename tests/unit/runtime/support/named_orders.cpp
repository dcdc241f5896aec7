#include "support/named_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <source_location>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "";
}

namespace {

using Kind = Operation::Kind;

// Where an operation stands in the source, and which of its orders is meant.
struct Site {
  std::string file;
  unsigned line = 0, column = 0;
  bool is_of_failure = false;
  auto operator<=>(const Site&) const = default;
};
struct NamedOrder {
  std::string where;  // function and operation
  Kind kind = Kind::kLoad;
  std::memory_order order = std::memory_order_seq_cst;
  bool is_in_thread = false;  // at least once; else no other thread is there
};
std::map<Site, NamedOrder> g_named;    // of the files that are judged
std::map<Site, std::string> g_others;  // of other files: how they are named
std::set<std::pair<Site, Site>> g_partners;
bool g_records_partners = false;
struct Weakening {
  Site site;
  std::memory_order order;
};
std::optional<Weakening> g_weakening;

const char* kind_of(const Operation& operation, bool is_of_failure) {
  if (is_of_failure) return "failed change";
  switch (operation.kind) {
    case Kind::kLoad:
    case Kind::kAwait:
      return "load";
    case Kind::kStore:
    case Kind::kConstruct:
    case Kind::kDestroy:
      return "store";
    case Kind::kChange:
      return "change";
    case Kind::kFence:
      return operation.fence == Operation::Fence::kLight   ? "light fence"
             : operation.fence == Operation::Fence::kHeavy ? "heavy fence"
                                                           : "fence";
  }
  return "";
}

// "T* heddle::Deque<T, Atomic>::pop() [with T = int]" is pop.
std::string function_of(const std::source_location& where) {
  std::string name = where.function_name();
  name = name.substr(0, name.find(" [with"));
  name = name.substr(0, name.find("::<lambda"));
  int depth = 0;
  std::size_t end = name.size();
  for (std::size_t i = name.size(); i-- > 0;) {  // the last list of parameters
    if (name[i] == ')' && depth++ == 0) end = i;
    if (name[i] == '(' && --depth == 0) {
      end = i;
      break;
    }
  }
  // "heddle::Published<T, Atomic>::operator T" has a space, and an operator no name.
  const std::size_t at = name.rfind("operator", end);
  const bool is_operator = at != std::string::npos;
  const std::string operation = !is_operator                                               ? ""
                                : name.substr(at, end - at).find('=') != std::string::npos ? "operator="
                                                                                           : "operator T";
  if (is_operator) {
    name = name.substr(0, at) + "operator";
    end = name.size();
  }
  std::size_t begin = end;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(name[begin - 1])) != 0 || name[begin - 1] == '_'))
    --begin;
  const std::string function = is_operator ? operation : name.substr(begin, end - begin);
  // "heddle::Deque<T, Atomic>::pop" is Deque::pop.
  if (begin < 2 || name.compare(begin - 2, 2, "::") != 0) return function;
  end = begin - 2;
  if (name[end - 1] == '>')
    for (depth = 0; end-- > 0;) {
      if (name[end] == '>') ++depth;
      if (name[end] == '<' && --depth == 0) break;
    }
  begin = end;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(name[begin - 1])) != 0 || name[begin - 1] == '_'))
    --begin;
  return name.substr(begin, end - begin) + "::" + function;
}

std::string where_of(const Operation& operation, bool is_of_failure, std::memory_order order) {
  return function_of(operation.where) + ": " + kind_of(operation, is_of_failure) + " " + name_of(order);
}

// From the root of the project.
std::string shown(const std::string& file) {
  return file.starts_with(HEDDLE_ROOT) ? file.substr(sizeof HEDDLE_ROOT) : file;
}

// The files of runtime/ and mpi/ whose orders are judged now.
std::vector<std::string> g_judged;

bool is_explored(const std::string& file) {
  return shown(file).starts_with("runtime/") || shown(file).starts_with("mpi/");
}

bool is_judged(const std::string& file) {
  const std::string here = shown(file);
  return std::ranges::any_of(
      g_judged, [&](const std::string& name) { return here == name || here == "runtime/" + name; });
}

// One step weaker.
std::vector<std::memory_order> weaker(const NamedOrder& named) {
  constexpr auto kRelaxed = std::memory_order_relaxed, kAcquire = std::memory_order_acquire,
                 kRelease = std::memory_order_release, kAcqRel = std::memory_order_acq_rel;
  const bool reads = named.kind == Kind::kLoad, writes = named.kind == Kind::kStore;
  switch (named.order) {
    case std::memory_order_relaxed:
      return {};
    case std::memory_order_seq_cst:
      return {reads ? kAcquire : writes ? kRelease : kAcqRel};
    case std::memory_order_acq_rel:
      return {kAcquire, kRelease};
    default:
      return {kRelaxed};
  }
}

Site site_of(const Event& event) {
  return {event.where.file_name(), event.where.line(), event.where.column(), event.is_of_failure};
}

// What other threads read where they read this write, release sequences included: the first of those.
const Event& head_of(const Graph& graph, const Event& write) {
  const Event* head = &write;
  while (head->is_exclusive && !is_release(head->order)) {
    const Id before = graph.at({head->id.thread, head->id.index - 1}).from;
    if (before.thread == kNobody) break;
    head = &graph.at(before);
  }
  return *head;
}

bool is_seq_cst(const Event& event) {
  return !event.is_plain && event.order == std::memory_order_seq_cst;
}

// A light fence orders nothing but itself and the heavy ones.
bool may_order(const Event& fence, const Event& other) {
  return fence.fence != Operation::Fence::kLight ||
         (other.what == What::kFence && other.fence == Operation::Fence::kHeavy);
}

// Whether the fence's thread touches the location of the access, too.
bool is_beside(const Graph& graph, const Event& fence, const Event& access) {
  if (fence.fence == Operation::Fence::kLight) return false;
  return std::ranges::any_of(graph.threads[static_cast<std::size_t>(fence.id.thread)],
                             [&](const Event& event) { return event.location == access.location; });
}

// The partners of an order, in words, without those that its own scenario's code has.
std::string partners_of(const Site& site) {
  std::set<std::string> all;
  for (const auto& [one, other] : g_partners) {
    if (one != site) continue;
    if (const auto judged = g_named.find(other); judged != g_named.end())
      all.insert((other.file == site.file ? "" : shown(other.file) + ", ") + judged->second.where);
    else if (const auto known = g_others.find(other); known != g_others.end())
      all.insert(known->second);
  }
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : "; ") + one;
  return text;
}

}  // namespace

void record_partners(const Graph& graph) {
  if (!g_records_partners) return;
  const auto record = [](const Event& a, const Event& b) {
    g_partners.emplace(site_of(a), site_of(b));
    g_partners.emplace(site_of(b), site_of(a));
  };
  graph.for_each([&](const Event& event) {
    if (event.is_plain) return;
    if (event.what == What::kRead && event.from.thread != kNobody && event.from.thread != event.id.thread &&
        is_acquire(event.order))
      if (const Event& head = head_of(graph, graph.at(event.from)); is_release(head.order) && !head.is_plain)
        record(event, head);
    if (!is_seq_cst(event)) return;
    graph.for_each([&](const Event& other) {
      if (!is_seq_cst(other) || event.id.thread == other.id.thread) return;
      const bool is_fence = event.what == What::kFence, is_other_fence = other.what == What::kFence;
      const bool are_partners =
          is_fence && is_other_fence   ? may_order(event, other) && may_order(other, event)
          : is_fence || is_other_fence ? is_beside(graph, is_fence ? event : other, is_fence ? other : event)
                                       : event.location == other.location && event.what != other.what;
      if (are_partners) record(event, other);
    });
  });
}

std::memory_order tried_order(const Operation& operation, bool is_of_failure, bool is_in_thread) {
  const std::memory_order order = is_of_failure ? operation.order_of_failure : operation.order;
  Site site{operation.where.file_name(), operation.where.line(), operation.where.column(), is_of_failure};
  if (!is_judged(site.file)) {
    if (g_records_partners && is_explored(site.file) && !g_others.contains(site))
      g_others[site] = shown(site.file) + ", " + where_of(operation, is_of_failure, order);
    return order;
  }
  if (g_weakening && g_weakening->site == site) return g_weakening->order;
  const auto [named, is_new] = g_named.try_emplace(site);
  if (is_new)
    named->second = {where_of(operation, is_of_failure, order),
                     is_of_failure || operation.kind == Kind::kAwait ? Kind::kLoad : operation.kind, order};
  named->second.is_in_thread |= is_in_thread;
  return order;
}

void expect_each_order_is_needed(const std::vector<std::string>& files,
                                 const std::vector<NamedScenario>& scenarios,
                                 const std::vector<Excuse>& excuses) {
  g_named.clear();
  g_others.clear();
  g_partners.clear();
  g_judged = files;
  g_records_partners = true;
  std::uint64_t executions = 0;
  for (const NamedScenario& scenario : scenarios) {
    const Explorer::Result result = Explorer::run(scenario.make);
    EXPECT_TRUE(result.is_complete) << scenario.name;
    EXPECT_FALSE(result.has_failed()) << scenario.name << ": " << result.failure;
    executions += result.executions;
  }
  g_records_partners = false;
  std::ostringstream lines;
  int tried = 0, excused = 0;
  const std::map<Site, NamedOrder> all = g_named;
  for (const auto& [site, named] : all)
    for (const std::memory_order order : weaker(named)) {
      ++tried;
      g_weakening = {site, order};
      const auto killer = std::ranges::find_if(
          scenarios, [](const NamedScenario& scenario) { return Explorer::run(scenario.make).has_failed(); });
      g_weakening.reset();
      const auto excuse =
          std::ranges::find_if(excuses, [&](const Excuse& e) { return e.where == named.where; });
      const bool is_needed = killer != scenarios.end();
      excused += excuse != excuses.end() ? 1 : 0;
      const std::string file = shown(site.file);
      if (excuse == excuses.end())
        EXPECT_TRUE(is_needed) << file << ':' << site.line << ": " << named.where
                               << ": nothing goes wrong with " << name_of(order);
      else
        EXPECT_FALSE(is_needed) << file << ':' << site.line << ": " << named.where << " is needed, by "
                                << killer->name;
      lines << file << '\t' << site.line << '\t' << named.where << '\t' << partners_of(site) << '\t'
            << name_of(order) << '\t'
            << (is_needed                 ? killer->name
                : excuse != excuses.end() ? excuse->reason
                                          : "")
            << '\n';
    }
  for (const Excuse& excuse : excuses)
    EXPECT_TRUE(
        std::ranges::any_of(all, [&](const auto& entry) { return entry.second.where == excuse.where; }))
        << "there is no " << excuse.where;
  for (const auto& [site, named] : all)
    if (named.order == std::memory_order_relaxed)
      lines << shown(site.file) << '\t' << site.line << '\t' << named.where << "\t\t\t"
            << (named.is_in_thread ? "" : "no other thread") << '\n';
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  ::testing::Test::RecordProperty("executions", static_cast<int>(executions));
  ::testing::Test::RecordProperty("weakenings", tried);
  ::testing::Test::RecordProperty("excused", excused);
#if defined(HEDDLE_ORDERS)
  std::ofstream file(std::string(HEDDLE_ORDERS) + "/" + test.test_suite_name() + ".tsv");
  EXPECT_TRUE(file << lines.str() << std::flush) << "build/*/orders cannot be written";
#endif
}
}  // namespace heddle::test
