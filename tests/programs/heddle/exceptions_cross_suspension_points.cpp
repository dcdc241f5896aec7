// Exceptions belong to the task that handles them, not to its thread: a task may be suspended while it
// handles one, or while one unwinds its stack, and others throw and catch meanwhile.
#include <omp.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

namespace {

constexpr int kTasks = 40;

outsider g_outsider;

void wait_for_outsider() {
  const omp_event_handle_t event = omp_task_continuation_event();
  hand_to(&g_outsider, event);
  omp_taskwait_detach(event);
}

std::string text_of_current() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Suspended while it handles one, and handles another inside; then the first again.
void suspends_in_handlers(int number) {
  const std::string outer = "outer " + std::to_string(number), inner = "inner " + std::to_string(number);
  int caught = 0;
  CHECK(std::current_exception() == nullptr);
  try {
    throw std::runtime_error(outer);
  } catch (const std::runtime_error& error) {
    wait_for_outsider();
    CHECK(error.what() == outer);
    CHECK(text_of_current() == outer);
    try {
      wait_for_outsider();
      throw std::logic_error(inner);
    } catch (const std::logic_error& nested) {
      wait_for_outsider();
      CHECK(nested.what() == inner);
      CHECK(text_of_current() == inner);
      ++caught;
    }
    CHECK(text_of_current() == outer);
    wait_for_outsider();
    CHECK(text_of_current() == outer);
    ++caught;
  }
  CHECK(std::current_exception() == nullptr);
  CHECK(std::uncaught_exceptions() == 0);
  CHECK(caught == 2);
}

// Throws the one it handles again, after it was suspended.
void suspends_before_it_throws_again(int number) {
  bool is_caught = false;
  try {
    try {
      throw number;
    } catch (int) {
      wait_for_outsider();
      throw;
    }
  } catch (int value) {
    is_caught = value == number;
  }
  CHECK(is_caught);
}

struct SuspendsWhenDestroyed {
  int uncaught_outside;
  ~SuspendsWhenDestroyed() {
    CHECK(std::uncaught_exceptions() == uncaught_outside + 1);
    wait_for_outsider();
    CHECK(std::uncaught_exceptions() == uncaught_outside + 1);
    // One that begins and ends inside.
    try {
      throw std::string("inside");
    } catch (const std::string& text) {
      CHECK(std::uncaught_exceptions() == uncaught_outside + 1);
      wait_for_outsider();
      CHECK(text == "inside");
    }
    CHECK(std::uncaught_exceptions() == uncaught_outside + 1);
  }
};

// Suspended by a destructor while an exception unwinds its stack.
void suspends_while_its_stack_unwinds(int number) {
  bool is_caught = false;
  CHECK(std::uncaught_exceptions() == 0);
  try {
    const SuspendsWhenDestroyed outer{0};
    const SuspendsWhenDestroyed inner{0};
    throw std::runtime_error(std::to_string(number));
  } catch (const std::runtime_error& error) {
    is_caught = error.what() == std::to_string(number);
  }
  CHECK(is_caught);
  CHECK(std::uncaught_exceptions() == 0);
}

// What others throw while this one is suspended is none of its own.
void throws_and_never_suspends(int number) {
  CHECK(std::current_exception() == nullptr);
  CHECK(std::uncaught_exceptions() == 0);
  for (int i = 0; i < 5; ++i) {
    try {
      throw std::to_string(number + i);
    } catch (const std::string& text) {
      CHECK(text == std::to_string(number + i));
    }
  }
  CHECK(std::current_exception() == nullptr);
}

void interleaved_tasks() {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(ended) firstprivate(i)
    {
      switch (i % 4) {
        case 0:
          suspends_in_handlers(i);
          break;
        case 1:
          suspends_before_it_throws_again(i);
          break;
        case 2:
          suspends_while_its_stack_unwinds(i);
          break;
        default:
          throws_and_never_suspends(i);
      }
#pragma omp atomic
      ++ended;
    }
  }
  CHECK(ended == kTasks);
}

// Tasks that are created in a handler leave the exception to it, wherever they run.
void tasks_created_in_handlers() {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  {
    try {
      throw std::runtime_error("around the creation");
    } catch (const std::runtime_error&) {
      for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(ended) firstprivate(i)
        {
          suspends_before_it_throws_again(i);
#pragma omp atomic
          ++ended;
        }
      }
#pragma omp taskwait
      CHECK(text_of_current() == "around the creation");
    }
    CHECK(std::current_exception() == nullptr);
  }
  CHECK(ended == kTasks);
}

// An implicit task in a handler leaves its thread for others' tasks, which throw.
void implicit_tasks_in_handlers() {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(i)
      suspends_while_its_stack_unwinds(i);
    }
    try {
      throw me;
    } catch (int value) {
      wait_for_outsider();
#pragma omp taskwait
      CHECK(value == me);
    }
    CHECK(std::current_exception() == nullptr);
  }
}

}  // namespace

int main() {
  start_outsider(&g_outsider, 0);
  for (int i = 0; i < 5; ++i) interleaved_tasks();
  tasks_created_in_handlers();
  implicit_tasks_in_handlers();
  end_outsider(&g_outsider);
  return 0;
}
