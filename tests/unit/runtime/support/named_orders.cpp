#include "support/named_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <source_location>
#include <sstream>
#include <string>
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
};
std::map<Site, NamedOrder> g_named;
struct Weakening {
  Site site;
  std::memory_order order;
};
std::optional<Weakening> g_weakening;

const char* name_of(const Operation& operation, bool is_of_failure) {
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
  int depth = 0;
  std::size_t end = name.size();
  for (std::size_t i = name.size(); i-- > 0;) {  // the last list of parameters
    if (name[i] == ')' && depth++ == 0) end = i;
    if (name[i] == '(' && --depth == 0) {
      end = i;
      break;
    }
  }
  std::size_t begin = end;
  while (begin > 0 &&
         (std::isalnum(static_cast<unsigned char>(name[begin - 1])) != 0 || name[begin - 1] == '_'))
    --begin;
  return name.substr(begin, end - begin);
}

// From the root of the project.
std::string shown(const std::string& file) {
  return file.substr(file.rfind("/runtime/") + 1);
}

// The files of runtime/ whose orders are judged now.
std::vector<std::string> g_judged;

bool is_judged(const std::string& file) {
  return file.find("/tests/") == std::string::npos &&
         std::ranges::any_of(g_judged,
                             [&](const std::string& name) { return file.ends_with("/runtime/" + name); });
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

}  // namespace

std::memory_order tried_order(const Operation& operation, bool is_of_failure) {
  const std::memory_order order = is_of_failure ? operation.order_of_failure : operation.order;
  Site site{operation.where.file_name(), operation.where.line(), operation.where.column(), is_of_failure};
  if (!is_judged(site.file)) return order;
  if (g_weakening && g_weakening->site == site) return g_weakening->order;
  const auto [named, is_new] = g_named.try_emplace(site);
  if (is_new)
    named->second = {
        function_of(operation.where) + ": " + name_of(operation, is_of_failure) + " " + name_of(order),
        is_of_failure ? Kind::kLoad : operation.kind, order};
  return order;
}

void expect_each_order_is_needed(const std::vector<std::string>& files,
                                 const std::vector<NamedScenario>& scenarios,
                                 const std::vector<Excuse>& excuses) {
  g_named.clear();
  g_judged = files;
  std::uint64_t executions = 0;
  for (const NamedScenario& scenario : scenarios) {
    const Explorer::Result result = Explorer::run(scenario.make);
    EXPECT_TRUE(result.is_complete) << scenario.name;
    EXPECT_FALSE(result.has_failed()) << scenario.name << ": " << result.failure;
    executions += result.executions;
  }
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
      lines << file << '\t' << site.line << '\t' << named.where << '\t' << name_of(order) << '\t'
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
      lines << shown(site.file) << '\t' << site.line << '\t' << named.where << "\t\t\n";
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  ::testing::Test::RecordProperty("executions", static_cast<int>(executions));
  ::testing::Test::RecordProperty("weakenings", tried);
  ::testing::Test::RecordProperty("excused", excused);
  if (const char* folder = std::getenv("HEDDLE_ORDERS"); folder != nullptr)
    std::ofstream(std::string(folder) + "/" + test.test_suite_name() + ".tsv") << lines.str();
}
}  // namespace heddle::test
