// Every execution of threads that set a published value with those that see it, under the C++ memory model.
#include "base/published.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Shared {
  ExploredData<int> objects[2];
  Published<ExploredData<int>*, ExploredAtomic> published;

  void look() const {
    if (const ExploredData<int>* const seen = published.seen())
      Explorer::check(seen->get() == 1, "the object is complete");
  }
};

Explorer::Scenario one_owner() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        for (ExploredData<int>& object : shared->objects) {
                          object.set(1);
                          shared->published = &object;
                          Explorer::check(shared->published == &object, "its owner reads what it has set");
                        }
                      },
                      [=] { shared->look(); }};
  return scenario;
}

// Each makes an object and sets it if there is none; then uses the one that is there.
Explorer::Scenario several_owners() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (ExploredData<int>& object : shared->objects)
    scenario.threads.emplace_back([=, &object] {
      object.set(1);
      const bool is_set = shared->published.replace(nullptr, &object);
      Explorer::check(is_set == (shared->published.seen() == &object), "one is set, and stays");
      shared->look();
    });
  scenario.threads.emplace_back([=] { shared->look(); });
  return scenario;
}

TEST(PublishedExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"base/published.hpp"},
                                    {{"one owner", one_owner}, {"several owners", several_owners}});
}

}  // namespace
}  // namespace heddle
