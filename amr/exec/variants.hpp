// The ways of running: one table that --variant, its help and the docs come from. Each row's file has the
// same name.
#pragma once

#include <span>
#include <string_view>

#include "amr/io/run_record.hpp"
#include "amr/io/settings.hpp"
#include "amr/io/watcher.hpp"

namespace heddle::amr {

struct Variant {
  std::string_view name;
  std::string_view description;
  bool is_parallel;
  RunRecord (*run)(const Settings&, Watcher&);
};

[[nodiscard]] std::span<const Variant> variants();
/// Null where there is none of this name.
[[nodiscard]] const Variant* find_variant(std::string_view name);

RunRecord run_serial(const Settings& settings, Watcher& watcher);
RunRecord run_orig(const Settings& settings, Watcher& watcher);
RunRecord run_orig_dyn(const Settings& settings, Watcher& watcher);
RunRecord run_loop(const Settings& settings, Watcher& watcher);
RunRecord run_loop_dyn(const Settings& settings, Watcher& watcher);
RunRecord run_task_1(const Settings& settings, Watcher& watcher);
RunRecord run_task_2(const Settings& settings, Watcher& watcher);
RunRecord run_task_graph(const Settings& settings, Watcher& watcher);

}  // namespace heddle::amr
