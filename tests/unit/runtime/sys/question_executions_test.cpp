// Every execution of a thread that asks another with that one's signal handler, under the C++ memory model:
// an answer is whole, and no handler that comes late writes into another's.
#include "sys/question.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

struct Shared {
  Question<ExploredAtomic> question;
  ExploredData<long> answer{0};

  ExploredAtomic<bool> has_handled[3]{};  // by thread: its handler has ended

  // Asks, looks once, and takes the question back where there is no answer; where the thread is answering, it
  // looks again once that has ended. Returns false where it would have to look again and again.
  bool ask(long thread) {
    question.ask(thread);
    if (!question.is_answered() && !question.take_back(thread))
      has_handled[thread].await([](bool has_ended) { return has_ended; });
    else if (!question.is_answered())
      return question.end(), true;
    if (!question.is_answered()) return false;
    Explorer::check(answer.get() == thread, "the answer is that thread's");
    question.end();
    return true;
  }
  void handle(long thread) {
    question.answer(thread, [&] { answer.set(thread); });
    has_handled[thread].store(true, std::memory_order_relaxed);
  }
};

// The first handler may come late, when the second thread is asked.
Explorer::Scenario two_are_asked() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] { static_cast<void>(shared->ask(1) && shared->ask(2)); },
                      [=] { shared->handle(1); }, [=] { shared->handle(2); }};
  return scenario;
}

TEST(QuestionExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"sys/question.hpp"}, {{"two are asked", two_are_asked}});
}

}  // namespace
}  // namespace heddle
