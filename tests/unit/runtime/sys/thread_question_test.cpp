#include "sys/thread_question.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <ctime>
#include <thread>

#include "sys/machine.hpp"

namespace heddle {
namespace {

enum class Does { kComputes, kSleeps, kComputesDeaf };

// A thread that does one thing until the end of the test.
class Asked {
 public:
  explicit Asked(Does what) : thread_([this, what] { live(what); }) {
    while (number_.load() == 0) std::this_thread::yield();
  }
  ~Asked() { join(); }
  long number() const { return number_.load(); }
  void join() {
    is_over_.store(true);
    if (thread_.joinable()) thread_.join();
  }
  int slept() const { return slept_; }

 private:
  void live(Does what) {
    if (what == Does::kComputesDeaf) {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
    }
    number_.store(native_thread_id());
    if (what == Does::kSleeps) {
      const timespec second{1, 0};
      slept_ = nanosleep(&second, nullptr);
    }
    while (!is_over_.load()) {
    }
  }

  std::atomic<long> number_{0};
  std::atomic<bool> is_over_{false};
  int slept_ = -1;
  std::thread thread_;
};

TEST(ThreadQuestion, AThreadThatComputesSaysWhereItIs) {
  ASSERT_TRUE(prepare_questions());
  const Asked asked(Does::kComputes);
  std::array<void*, 16> frames{};
  for (int i = 0; i < 10; ++i) {
    int count = 0;
    ASSERT_EQ(ask_thread(asked.number(), frames, &count), Answer::kWhere);
    EXPECT_GT(count, 1);
    EXPECT_LE(count, 16);
  }
}

TEST(ThreadQuestion, ASystemCallThatAQuestionWouldEndGoesOn) {
  ASSERT_TRUE(prepare_questions());
  Asked asked(Does::kSleeps);
  sleep_ns(100'000'000);
  std::array<void*, 16> frames{};
  int count = -1;
  EXPECT_EQ(ask_thread(asked.number(), frames, &count), Answer::kInSystemCall);
  EXPECT_EQ(count, 0);
  asked.join();
  EXPECT_EQ(asked.slept(), 0);
}

TEST(ThreadQuestion, AThreadThatBlocksSignalsDoesNotAnswer) {
  ASSERT_TRUE(prepare_questions());
  const Asked asked(Does::kComputesDeaf);
  std::array<void*, 16> frames{};
  int count = -1;
  EXPECT_EQ(ask_thread(asked.number(), frames, &count), Answer::kNone);
  // The next is asked all the same.
  const Asked next(Does::kComputes);
  EXPECT_EQ(ask_thread(next.number(), frames, &count), Answer::kWhere);
}

TEST(ThreadQuestion, AThreadThatHasEndedDoesNotAnswer) {
  ASSERT_TRUE(prepare_questions());
  Asked asked(Does::kComputes);
  asked.join();
  std::array<void*, 16> frames{};
  int count = -1;
  EXPECT_NE(ask_thread(asked.number(), frames, &count), Answer::kWhere);
}

}  // namespace
}  // namespace heddle
