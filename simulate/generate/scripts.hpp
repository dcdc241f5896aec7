// Pieces of scripts that every generator writes.
#pragma once

#include <cmath>
#include <utility>

#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Units: ns; what is next to nothing is left out.
inline void add_work(Script& script, double ns) {
  const std::int64_t whole = std::llround(ns);
  if (whole == 0) return;
  if (!script.empty() && script.back().op == Op::kWork) {
    script.back().value += whole;
  } else {
    script.push_back({Op::kWork, whole});
  }
}

/// A script of one operation that executes another so many times, at least once.
inline Script repeated(ProcessText& text, std::int64_t times, Script script) {
  text.repeats.push_back({times, std::move(script)});
  return {{Op::kRepeat, static_cast<std::int64_t>(text.repeats.size()) - 1}};
}

/// Adds the creation of a task that computes for so long. Returns it.
inline TaskText& add_task(ProcessText& text, Script& script, int kind, std::vector<DependenceOn> dependences,
                          double ns) {
  script.push_back({Op::kCreate, static_cast<std::int64_t>(text.tasks.size())});
  TaskText& task = text.tasks.emplace_back();
  task.kind = kind;
  task.dependences = std::move(dependences);
  add_work(task.script, ns);
  return task;
}

}  // namespace heddle::simulate
