// What debuggers read of the dependence graph: the successor list of each task stays while the task is
// incomplete, however many others are asked for. The calls that Clang makes are written out here.
#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.h"
#include "llvm_calls.hpp"

namespace {

struct Successor {
  void* node;
  Successor* next;
};

constexpr std::uint8_t kIn = 1, kOut = 2;
constexpr int kWriters = 200;

int do_nothing(int, View*) {
  return 0;
}

void check_lists() {
  const int thread = number(nullptr);
  const auto submit =
      find<int (*)(void*, int, View*, int, Depend*, int, Depend*)>("__kmpc_omp_task_with_deps");
  const auto node_of = find<void* (*)(View*)>("__kmpc_task_get_depnode");
  const auto successors_of = find<Successor* (*)(View*)>("__kmpc_task_get_successors");

  static int blocker, cells[kWriters];
  std::vector<View*> writers, readers;
  const auto task = [&](std::initializer_list<Depend> items) {
    View* const view = alloc(nullptr, thread, kTied, sizeof(View), 0, do_nothing);
    std::vector<Depend> copy(items);
    submit(nullptr, thread, view, static_cast<int>(copy.size()), copy.data(), 0, nullptr);
    return view;
  };
  omp_event_handle_t event{};  // Clang does not see that the clause sets it
#pragma omp task detach(event) depend(out : blocker)
  {
  }  // all others wait for its event
  for (int& cell : cells) writers.push_back(task({{&blocker, 0, kIn}, {&cell, 0, kOut}}));
  // Writer i gets i % 4 + 1 readers.
  for (int i = 0; i < kWriters; ++i)
    for (int k = 0; k <= i % 4; ++k) readers.push_back(task({{&cells[i], 0, kIn}}));

  std::vector<Successor*> lists;
  for (View* const writer : writers) lists.push_back(successors_of(writer));
  std::size_t next_reader = 0;
  for (int i = 0; i < kWriters; ++i) {
    std::vector<void*> nodes;
    for (const Successor* s = lists[static_cast<std::size_t>(i)]; s != nullptr; s = s->next)
      nodes.push_back(s->node);
    CHECK(nodes.size() == static_cast<std::size_t>(i % 4 + 1));
    for (int k = 0; k <= i % 4; ++k) {
      void* const wanted = node_of(readers[next_reader++]);
      bool is_there = false;
      for (void* const node : nodes) is_there |= node == wanted;
      CHECK(is_there);
    }
  }
  omp_fulfill_event(event);
}

}  // namespace

int main() {
#pragma omp parallel
#pragma omp single
  check_lists();
  return 0;
}
