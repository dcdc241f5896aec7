#include "tracer/mpi/handle_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace heddle::tracer {
namespace {

// A machine may take a thread's processor away for longer than the tracer waits; here that is no fault.
constexpr std::uint64_t kEndlessNs = 100'000'000'000;

TEST(HandleTable, GivesBackWhatWasPutOnce) {
  HandleTable<int, long> table;
  EXPECT_TRUE(table.is_empty());
  table.put(7, 70);
  table.put(-7, 71);
  EXPECT_EQ(table.find(7), 70);
  EXPECT_EQ(table.take(7), 70);
  EXPECT_EQ(table.take(7), std::nullopt);
  EXPECT_EQ(table.find(8), std::nullopt);
  EXPECT_FALSE(table.is_empty());
  EXPECT_EQ(table.take(-7), 71);
  EXPECT_TRUE(table.is_empty());
}

TEST(HandleTable, KeepsWhatIsNotAsWanted) {
  HandleTable<void*, long> table;
  int object = 0;
  table.put(&object, 3);
  EXPECT_EQ(table.take_if(&object, [](long value) { return value > 3; }), std::nullopt);
  EXPECT_EQ(table.take_if(&object, [](long value) { return value == 3; }), 3);
}

TEST(HandleTable, ANewObjectWaitsForTheEndOfTheOneBefore) {
  HandleTable<int, long> table(kEndlessNs);
  table.put(1, 10);
  std::atomic<bool> is_put{false};
  std::thread next([&] {
    table.put(1, 11);
    is_put = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(is_put);
  EXPECT_EQ(table.take(1), 10);
  next.join();
  EXPECT_EQ(table.take(1), 11);
}

TEST(HandleTable, WhatNobodyTakesOutHoldsNobodyUpForLong) {
  HandleTable<int, long> table;
  table.put(1, 10);
  table.put(1, 11);  // 0.3 s later
  EXPECT_EQ(table.take(1), 11);
  table.put(2, 20);
  table.await_no_entry(2);
  EXPECT_TRUE(table.is_empty());
}

// As tracer/mpi/requests.hpp uses it: an MPI that gives the handle of an object again as soon as it is gone,
// threads that make sends, of which the table knows nothing, and receives, and threads that test them.
class Simulated {
 public:
  struct Receive {
    long number;
    std::uint64_t since;
  };
  struct Request {
    int handle;
    long number;  // of the receive; 0: a send
  };

  Simulated() {
    for (int handle = 0; handle < 4; ++handle) free_.push_back(handle);
  }

  void make(bool is_receive) {
    int handle = 0;
    {
      const std::lock_guard lock(mutex_);
      if (free_.empty()) return;
      handle = free_.back();
      free_.pop_back();
    }
    long number = 0;
    if (is_receive) {
      number = 1 + last_.fetch_add(1);
      table_.put(handle, {number, ticks_from_here_on()});
    } else {
      table_.await_no_entry(handle);
    }
    const std::lock_guard lock(mutex_);
    made_.push_back({handle, number});
  }

  /// Returns whether what was tested was told for what it is.
  bool test() {
    Request request{};
    {
      const std::lock_guard lock(mutex_);
      if (made_.empty()) return true;
      request = made_.front();
      made_.erase(made_.begin());
    }
    const std::uint64_t began = ticks();
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(request.handle);  // from here on it may be another object's
    }
    std::this_thread::yield();
    const auto found = table_.take_if(request.handle, [&](const Receive& it) { return it.since <= began; });
    return (found ? found->number : 0) == request.number;
  }

  bool is_empty() const { return table_.is_empty(); }

 private:
  HandleTable<int, Receive> table_{kEndlessNs};
  std::mutex mutex_;
  std::vector<int> free_;      // guarded by mutex_
  std::vector<Request> made_;  // guarded by mutex_
  std::atomic<long> last_{0};
};

TEST(HandleTable, CompletedReceivesAreToldForWhatTheyAre) {
  const char* const given = std::getenv("HEDDLE_TEST_SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::atoi(given)) : std::random_device{}();
  SCOPED_TRACE("HEDDLE_TEST_SEED=" + std::to_string(seed));
  Simulated mpi;
  std::atomic<long> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(seed + t);
      for (int i = 0; i < 20000; ++i) {
        const auto choice = random() % 4;
        if (choice >= 2)
          wrong += mpi.test() ? 0 : 1;
        else
          mpi.make(choice == 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) wrong += mpi.test() ? 0 : 1;
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(mpi.is_empty());
}

}  // namespace
}  // namespace heddle::tracer
