// The explorer's own verdicts: classic litmus tests, for every combination of orders that matters, with what
// RC11 says of them; and that it constructs each execution once.
#include "support/executions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace heddle::test {
namespace {

using Order = std::memory_order;
constexpr Order kRelaxed = Order::relaxed, kAcquire = Order::acquire, kRelease = Order::release,
                kAcqRel = Order::acq_rel, kSeqCst = Order::seq_cst;
constexpr Order kLoads[] = {kRelaxed, kAcquire, kSeqCst};
constexpr Order kStores[] = {kRelaxed, kRelease, kSeqCst};
bool acquires(Order order) {
  return order == kAcquire || order == kAcqRel || order == kSeqCst;
}
bool releases(Order order) {
  return order == kRelease || order == kAcqRel || order == kSeqCst;
}

struct Variables {
  ExploredAtomic<int> x, y, z;
  std::array<int, 6> r{};  // what was read
};
using Thread = std::function<void(Variables&)>;
using Outcome = std::array<int, 6>;

struct Outcomes {
  std::set<Outcome> seen;
  std::uint64_t executions = 0;
  bool has(Outcome outcome) const { return seen.contains(outcome); }
};

// What at_end sees: what was read and, of `last`, the final values.
Outcomes outcomes(const std::vector<Thread>& threads, const Thread& last = [](Variables&) {}) {
  Outcomes result;
  const Explorer::Result explored = Explorer::run([&] {
    const auto variables = std::make_shared<Variables>();
    Explorer::Scenario scenario;
    for (const Thread& thread : threads) scenario.threads.emplace_back([=] { thread(*variables); });
    scenario.at_end = [&result, variables, last] {
      last(*variables);
      result.seen.insert(variables->r);
    };
    return scenario;
  });
  expect_every_execution_is_right(explored);
  result.executions = explored.executions;
  return result;
}

void fence(Order order) {
  explored_fence(Operation::Fence::kFull, order);
}

TEST(Executions, StoreBufferingIsForbiddenWhereAllIsSequentiallyConsistent) {
  for (const Order s1 : kStores)
    for (const Order l1 : kLoads)
      for (const Order s2 : kStores)
        for (const Order l2 : kLoads) {
          const Outcomes found = outcomes({[=](Variables& v) {
                                             v.x.store(1, s1);
                                             v.r[0] = v.y.load(l1);
                                           },
                                           [=](Variables& v) {
                                             v.y.store(1, s2);
                                             v.r[1] = v.x.load(l2);
                                           }});
          const bool is_forbidden = s1 == kSeqCst && l1 == kSeqCst && s2 == kSeqCst && l2 == kSeqCst;
          EXPECT_EQ(found.has({0, 0}), !is_forbidden);
          EXPECT_EQ(found.executions, is_forbidden ? 3u : 4u);
        }
}

TEST(Executions, StoreBufferingIsForbiddenBetweenFences) {
  const auto with_fences = [](const Thread& first, const Thread& second) {
    return outcomes({[=](Variables& v) {
                       v.x.store(1, kRelaxed);
                       first(v);
                       v.r[0] = v.y.load(kRelaxed);
                     },
                     [=](Variables& v) {
                       v.y.store(1, kRelaxed);
                       second(v);
                       v.r[1] = v.x.load(kRelaxed);
                     }})
        .has({0, 0});
  };
  const Thread full = [](Variables&) { fence(kSeqCst); }, half = [](Variables&) { fence(kAcqRel); };
  const Thread light = [](Variables&) { explored_fence(Operation::Fence::kLight); };
  const Thread heavy = [](Variables&) { explored_fence(Operation::Fence::kHeavy); };
  EXPECT_FALSE(with_fences(full, full));
  EXPECT_TRUE(with_fences(full, half));
  EXPECT_TRUE(with_fences(half, half));
  EXPECT_FALSE(with_fences(light, heavy));
  EXPECT_FALSE(with_fences(heavy, heavy));
  EXPECT_TRUE(with_fences(light, light));
  EXPECT_TRUE(with_fences(light, full));
}

TEST(Executions, StoreBufferingIsForbiddenBetweenAFenceAndSequentiallyConsistentAccesses) {
  for (const Order store : kStores)
    for (const Order load : kLoads) {
      const Outcomes found = outcomes({[](Variables& v) {
                                         v.x.store(1, kRelaxed);
                                         fence(kSeqCst);
                                         v.r[0] = v.y.load(kRelaxed);
                                       },
                                       [=](Variables& v) {
                                         v.y.store(1, store);
                                         v.r[1] = v.x.load(load);
                                       }});
      EXPECT_EQ(found.has({0, 0}), store != kSeqCst || load != kSeqCst);
    }
}

TEST(Executions, MessagesPassWhereOneReleasesAndTheOtherAcquires) {
  for (const Order store : kStores)
    for (const Order load : kLoads) {
      const Outcomes found = outcomes({[=](Variables& v) {
                                         v.x.store(1, kRelaxed);
                                         v.y.store(1, store);
                                       },
                                       [=](Variables& v) {
                                         v.r[0] = v.y.load(load);
                                         v.r[1] = v.x.load(kRelaxed);
                                       }});
      const bool is_forbidden = releases(store) && acquires(load);
      EXPECT_EQ(found.has({1, 0}), !is_forbidden);
      EXPECT_EQ(found.executions, is_forbidden ? 3u : 4u);
    }
}

TEST(Executions, MessagesPassByFences) {
  for (const Order first : {kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst})
    for (const Order second : {kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}) {
      const Outcomes found = outcomes({[=](Variables& v) {
                                         v.x.store(1, kRelaxed);
                                         if (first != kRelaxed) fence(first);
                                         v.y.store(1, kRelaxed);
                                       },
                                       [=](Variables& v) {
                                         v.r[0] = v.y.load(kRelaxed);
                                         if (second != kRelaxed) fence(second);
                                         v.r[1] = v.x.load(kRelaxed);
                                       }});
      EXPECT_EQ(found.has({1, 0}), !releases(first) || !acquires(second));
    }
}

TEST(Executions, LoadsAreNotBuffered) {
  const Outcomes found = outcomes({[](Variables& v) {
                                     v.r[0] = v.y.load(kRelaxed);
                                     v.x.store(1, kRelaxed);
                                   },
                                   [](Variables& v) {
                                     v.r[1] = v.x.load(kRelaxed);
                                     v.y.store(1, kRelaxed);
                                   }});
  EXPECT_EQ(found.seen, (std::set<Outcome>{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(found.executions, 3u);
}

TEST(Executions, IndependentReadersAgreeWhereAllIsSequentiallyConsistent) {
  for (const Order store : kStores)
    for (const Order first : kLoads)
      for (const Order second : kLoads) {
        const Outcomes found =
            outcomes({[=](Variables& v) { v.x.store(1, store); }, [=](Variables& v) { v.y.store(1, store); },
                      [=](Variables& v) {
                        v.r[0] = v.x.load(first);
                        v.r[1] = v.y.load(second);
                      },
                      [=](Variables& v) {
                        v.r[2] = v.y.load(first);
                        v.r[3] = v.x.load(second);
                      }});
        const bool is_forbidden = store == kSeqCst && first == kSeqCst && second == kSeqCst;
        EXPECT_EQ(found.has({1, 0, 1, 0}), !is_forbidden);
        EXPECT_EQ(found.executions, is_forbidden ? 15u : 16u);
      }
  const auto read_with_fence = [](ExploredAtomic<int>& one, ExploredAtomic<int>& other, int* r) {
    r[0] = one.load(kRelaxed);
    fence(kSeqCst);
    r[1] = other.load(kRelaxed);
  };
  EXPECT_FALSE(
      outcomes({[](Variables& v) { v.x.store(1, kRelaxed); }, [](Variables& v) { v.y.store(1, kRelaxed); },
                [=](Variables& v) { read_with_fence(v.x, v.y, &v.r[0]); },
                [=](Variables& v) { read_with_fence(v.y, v.x, &v.r[2]); }})
          .has({1, 0, 1, 0}));
}

// A store that is sequentially consistent orders nothing behind it but what is so as well: its order and that
// of what is read may differ.
TEST(Executions, TheOrderOfSequentiallyConsistentAccessesIsNotThatOfTime) {
  const Outcomes found = outcomes({[](Variables& v) {
                                     v.x.store(1, kSeqCst);
                                     v.y.store(1, kRelaxed);
                                   },
                                   [](Variables& v) {
                                     v.r[0] = v.y.load(kRelaxed);
                                     v.r[1] = v.x.load(kSeqCst);
                                   }});
  EXPECT_TRUE(found.has({1, 0}));
}

TEST(Executions, TwoWritesEachAreOrderedWhereAllIsSequentiallyConsistent) {
  for (const Order a : kStores)
    for (const Order b : kStores)
      for (const Order c : kStores)
        for (const Order d : kStores) {
          const Outcomes found = outcomes({[=](Variables& v) {
                                             v.x.store(1, a);
                                             v.y.store(2, b);
                                           },
                                           [=](Variables& v) {
                                             v.y.store(1, c);
                                             v.x.store(2, d);
                                           }},
                                          [](Variables& v) {
                                            v.r[0] = v.x.peek();
                                            v.r[1] = v.y.peek();
                                          });
          const bool is_forbidden = a == kSeqCst && b == kSeqCst && c == kSeqCst && d == kSeqCst;
          EXPECT_EQ(found.has({1, 1}), !is_forbidden);
          EXPECT_EQ(found.executions, is_forbidden ? 3u : 4u);
        }
}

TEST(Executions, SAndR) {
  for (const Order store : kStores)
    for (const Order load : kLoads) {
      const Outcomes s = outcomes({[=](Variables& v) {
                                     v.x.store(2, kRelaxed);
                                     v.y.store(1, store);
                                   },
                                   [=](Variables& v) {
                                     v.r[0] = v.y.load(load);
                                     v.x.store(1, kRelaxed);
                                   }},
                                  [](Variables& v) { v.r[1] = v.x.peek(); });
      EXPECT_EQ(s.has({1, 2}), !releases(store) || !acquires(load));
      const Outcomes r = outcomes({[=](Variables& v) {
                                     v.x.store(1, store);
                                     v.y.store(1, store);
                                   },
                                   [=](Variables& v) {
                                     v.y.store(2, store);
                                     v.r[0] = v.x.load(load);
                                   }},
                                  [](Variables& v) { v.r[1] = v.y.peek(); });
      EXPECT_EQ(r.has({0, 2}), store != kSeqCst || load != kSeqCst);
    }
}

TEST(Executions, WhatOneReadAndPassedOnTheNextReadsToo) {
  for (const Order store : kStores)
    for (const Order load : kLoads) {
      const Outcomes found = outcomes({[=](Variables& v) { v.x.store(1, kRelaxed); },
                                       [=](Variables& v) {
                                         v.r[0] = v.x.load(kRelaxed);
                                         v.y.store(1, store);
                                       },
                                       [=](Variables& v) {
                                         v.r[1] = v.y.load(load);
                                         v.r[2] = v.x.load(kRelaxed);
                                       }});
      EXPECT_EQ(found.has({1, 1, 0}), !releases(store) || !acquires(load));
    }
}

TEST(Executions, ALocationHasOneOrderOfItsWrites) {
  const Outcomes reads =
      outcomes({[](Variables& v) { v.x.store(1, kRelaxed); }, [](Variables& v) { v.x.store(2, kRelaxed); },
                [](Variables& v) {
                  v.r[0] = v.x.load(kRelaxed);
                  v.r[1] = v.x.load(kRelaxed);
                },
                [](Variables& v) {
                  v.r[2] = v.x.load(kRelaxed);
                  v.r[3] = v.x.load(kRelaxed);
                }});
  EXPECT_TRUE(reads.has({1, 2, 1, 2}));
  EXPECT_FALSE(reads.has({1, 2, 2, 1}));
  EXPECT_FALSE(reads.has({1, 0, 0, 0}));
  const Outcomes own = outcomes({[](Variables& v) {
                                   v.x.store(1, kRelaxed);
                                   v.r[0] = v.x.load(kRelaxed);
                                 },
                                 [](Variables& v) {
                                   v.r[1] = v.x.load(kRelaxed);
                                   v.x.store(2, kRelaxed);
                                 }},
                                [](Variables& v) { v.r[2] = v.x.peek(); });
  EXPECT_FALSE(own.has({0, 0, 1}));
  EXPECT_FALSE(own.has({1, 1, 1}));  // what it read stands before what it wrote
  EXPECT_TRUE(own.has({2, 0, 2}));
}

TEST(Executions, AReleaseSequenceGoesOnThroughChangesAlone) {
  const auto last_reads = [](Variables& v) {
    v.r[0] = v.y.load(kAcquire);
    v.r[1] = v.x.load(kRelaxed);
  };
  const auto writes = [](Variables& v) {
    v.x.store(1, kRelaxed);
    v.y.store(1, kRelease);
  };
  EXPECT_FALSE(outcomes({writes, [](Variables& v) { v.y.fetch_add(1, kRelaxed); }, last_reads}).has({2, 0}));
  // Not through a store of the same thread (C++20), nor of another.
  EXPECT_TRUE(outcomes({[=](Variables& v) {
                          writes(v);
                          v.y.store(2, kRelaxed);
                        },
                        last_reads})
                  .has({2, 0}));
}

TEST(Executions, ChangesReadTheLastValueAndNoneIsLost) {
  const Thread add = [](Variables& v) { v.x.fetch_add(1, kRelaxed); };
  const Outcomes found = outcomes({add, add, add}, [](Variables& v) { v.r[0] = v.x.peek(); });
  EXPECT_EQ(found.seen, (std::set<Outcome>{{3}}));
  EXPECT_EQ(found.executions, 6u);
  const auto take = [](int who) {
    return [who](Variables& v) {
      int expected = 0;
      v.r[static_cast<std::size_t>(who)] = v.x.compare_exchange_strong(expected, who + 1, kRelaxed, kRelaxed);
    };
  };
  const Outcomes one = outcomes({take(0), take(1), take(2)});
  EXPECT_EQ(one.seen, (std::set<Outcome>{{1}, {0, 1}, {0, 0, 1}}));
  EXPECT_EQ(one.executions, 3u);
}

TEST(Executions, EachExecutionIsConstructedOnce) {
  const auto store = [](int value) { return [value](Variables& v) { v.x.store(value, kRelaxed); }; };
  EXPECT_EQ(outcomes({store(1), store(2), store(3), store(4)}).executions, 24u);
  const Thread reads = [](Variables& v) { (void)v.x.load(kRelaxed); };
  EXPECT_EQ(outcomes({store(1), reads, reads, reads}).executions, 8u);
  EXPECT_EQ(outcomes({reads, reads, reads, store(1)}).executions, 8u);
  EXPECT_EQ(outcomes({store(1), store(2), reads}).executions, 6u);
  EXPECT_EQ(outcomes({reads, store(1), store(2)}).executions, 6u);
}

// -- what is no value

Explorer::Result pass_data(Order store, Order load) {
  struct Shared {
    ExploredData<int> data;
    ExploredAtomic<int> flag;
  };
  return Explorer::run([=] {
    const auto shared = std::make_shared<Shared>();
    Explorer::Scenario scenario;
    scenario.threads = {[=] {
                          shared->data.set(7);
                          shared->flag.store(1, store);
                        },
                        [=] {
                          if (shared->flag.load(load) == 1)
                            Explorer::check(shared->data.get() == 7, "the data has come");
                        }};
    return scenario;
  });
}

TEST(Executions, ARaceForDataIsFound) {
  expect_every_execution_is_right(pass_data(kRelease, kAcquire));
  EXPECT_NE(pass_data(kRelaxed, kAcquire).failure.find("a data race"), std::string::npos);
  EXPECT_NE(pass_data(kRelease, kRelaxed).failure.find("a data race"), std::string::npos);
}

TEST(Executions, AThreadThatWaitsForEverIsFound) {
  const auto wait_for = [](int value) {
    return Explorer::run([=] {
      const auto variables = std::make_shared<Variables>();
      Explorer::Scenario scenario;
      scenario.threads = {[=] { variables->x.await([=](int seen) { return seen == value; }); },
                          [=] { variables->x.store(1, kRelaxed); }};
      return scenario;
    });
  };
  expect_every_execution_is_right(wait_for(1));
  EXPECT_EQ(wait_for(1).executions, 1u);
  EXPECT_NE(wait_for(2).failure.find("waits for ever"), std::string::npos);
}

TEST(Executions, WhatIsUsedAfterItsEndIsFound) {
  const auto use = [](Order store) {
    struct Shared {
      std::unique_ptr<ExploredAtomic<int>> object = std::make_unique<ExploredAtomic<int>>(0);
      ExploredAtomic<int> is_done;
    };
    return Explorer::run([=] {
      const auto shared = std::make_shared<Shared>();
      Explorer::Scenario scenario;
      scenario.threads = {[=] {
                            shared->object->store(1, kRelaxed);
                            shared->is_done.store(1, store);
                          },
                          [=] {
                            shared->is_done.await([](int done) { return done == 1; }, kAcquire);
                            shared->object.reset();
                          }};
      return scenario;
    });
  };
  expect_every_execution_is_right(use(kRelease));
  EXPECT_TRUE(use(kRelaxed).has_failed());
}

}  // namespace
}  // namespace heddle::test
