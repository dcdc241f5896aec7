// A thread leaves a context and finds there, when it goes on, what it left: its stack, registers, rounding
// mode and exceptions.
#include "fiber/context.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sys/memory.hpp"

namespace heddle {
namespace {

// A stack whose context executes `body`, and then goes on in `back`, again and again.
struct Strand {
  static constexpr std::size_t kBytes = 256 * 1024;

  Strand() : memory(static_cast<char*>(reserve_stacks(kBytes))) { make(); }
  ~Strand() { forget_context(context); }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  void make() { make_context(context, memory, kBytes, &Strand::enter); }

  void go_on(Context& from) {
    back = &from;
    g_entered = this;
    switch_context(from, context);
  }
  void leave() { switch_context(context, *back); }

  static void enter(boost::context::detail::transfer_t arrival) {
    Strand& self = *g_entered;
    begin_context(self.context, arrival);
    for (;;) {
      self.body();
      ++self.ended;
      self.leave();
    }
  }

  char* memory;
  Context context;
  Context* back = nullptr;
  std::function<void()> body;
  int ended = 0;

  static inline thread_local Strand* g_entered = nullptr;
};

TEST(Context, BeginsAtItsEntryOnItsStack) {
  Context here;
  Strand strand;
  const char* where = nullptr;
  strand.body = [&] {
    char local = 0;
    where = &local;
  };
  strand.go_on(here);
  EXPECT_EQ(strand.ended, 1);
#ifndef __SANITIZE_ADDRESS__  // which may keep frames elsewhere
  EXPECT_TRUE(where >= strand.memory && where < strand.memory + Strand::kBytes);
#endif
  strand.go_on(here);
  EXPECT_EQ(strand.ended, 2);
}

TEST(Context, GoesOnWhereItWasLeft) {
  Context here;
  Strand strand;
  std::vector<int> steps;
  strand.body = [&] {
    const std::string kept = "kept on the strand's stack";
    for (int i = 0; i < 1000; ++i) {
      steps.push_back(i);
      strand.leave();
    }
    EXPECT_EQ(kept, "kept on the strand's stack");
  };
  for (int i = 0; i < 1000; ++i) {
    strand.go_on(here);
    ASSERT_EQ(steps.size(), static_cast<std::size_t>(i) + 1);
    ASSERT_EQ(steps.back(), i);
  }
  strand.go_on(here);
  EXPECT_EQ(strand.ended, 1);
}

TEST(Context, OneMayLeaveForAnother) {
  Context here;
  Strand first, second;
  std::string order;
  first.body = [&] {
    order += 'a';
    second.go_on(first.context);
    order += 'c';
  };
  second.body = [&] { order += 'b'; };
  first.go_on(here);
  EXPECT_EQ(order, "abc");
}

TEST(Context, MayBeMadeAnewOnTheSameMemory) {
  Context here;
  Strand strand;
  for (int i = 0; i < 3; ++i) {
    bool has_begun = false, has_gone_on = false;
    strand.body = [&] {
      has_begun = true;
      strand.leave();
      has_gone_on = true;
    };
    strand.go_on(here);
    EXPECT_TRUE(has_begun);
    forget_context(strand.context);
    strand.make();
    EXPECT_FALSE(has_gone_on);
  }
}

TEST(Context, HasARoundingModeOfItsOwn) {
  Context here;
  Strand strand;
  strand.body = [&] {
    std::fesetround(FE_UPWARD);
    strand.leave();
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    volatile double third = 1.0, upwards = third / 3.0;
    std::fesetround(FE_DOWNWARD);
    EXPECT_GT(upwards, third / 3.0);
    std::fesetround(FE_TONEAREST);
  };
  strand.go_on(here);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  strand.go_on(here);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

// -- Exceptions

std::string text_of(const std::exception_ptr& exception) {
  if (exception == nullptr) return "none";
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(Context, HandlesExceptionsOfItsOwn) {
  Context here;
  Strand strand;
  strand.body = [&] {
    EXPECT_EQ(text_of(std::current_exception()), "none");
    try {
      throw std::runtime_error("the strand's");
    } catch (const std::runtime_error&) {
      strand.leave();
      EXPECT_EQ(text_of(std::current_exception()), "the strand's");
    }
    EXPECT_EQ(text_of(std::current_exception()), "none");
  };
  try {
    throw std::runtime_error("the thread's");
  } catch (const std::runtime_error&) {
    strand.go_on(here);
    EXPECT_EQ(text_of(std::current_exception()), "the thread's");
  }
  EXPECT_EQ(text_of(std::current_exception()), "none");
  strand.go_on(here);
  EXPECT_EQ(strand.ended, 1);
}

struct LeavesWhenDestroyed {
  Strand& strand;
  ~LeavesWhenDestroyed() {
    EXPECT_EQ(std::uncaught_exceptions(), 1);
    strand.leave();
    EXPECT_EQ(std::uncaught_exceptions(), 1);
  }
};

TEST(Context, UnwindsApartFromOthers) {
  Context here;
  Strand first, second;
  for (Strand* const strand : {&first, &second}) {
    strand->body = [strand] {
      try {
        const LeavesWhenDestroyed on_the_way{*strand};
        throw strand;
      } catch (Strand* caught) {
        EXPECT_EQ(caught, strand);
      }
    };
  }
  first.go_on(here);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  second.go_on(here);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  first.go_on(here);
  second.go_on(here);
  EXPECT_EQ(first.ended, 1);
  EXPECT_EQ(second.ended, 1);
}

// -- Threads

TEST(Context, AnyThreadMayGoOnThere) {
  Context here;
  Strand strand;
  strand.body = [&] {
    for (int i = 0; i < 3; ++i) {
      try {
        throw std::runtime_error("goes with the context");
      } catch (const std::runtime_error&) {
        strand.leave();
        EXPECT_EQ(text_of(std::current_exception()), "goes with the context");
      }
    }
  };
  strand.go_on(here);
  for (int i = 0; i < 3; ++i) {
    std::thread other([&] {
      Context there;
      strand.go_on(there);
      EXPECT_EQ(text_of(std::current_exception()), "none");
    });
    other.join();
  }
  EXPECT_EQ(strand.ended, 1);
}

}  // namespace
}  // namespace heddle
