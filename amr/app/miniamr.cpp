// heddle-amr: command line to engine, nothing else.
//
// Exit status: 0 done, 1 a check failed, 2 the input cannot be run.
#include <fmt/core.h>
#include <omp.h>

#include <exception>
#include <new>
#include <vector>

#include "amr/exec/variants.hpp"
#include "amr/io/error.hpp"
#include "amr/io/options.hpp"
#include "amr/io/progress.hpp"
#include "amr/io/report.hpp"
#include "amr/io/results_json.hpp"

namespace {

using namespace heddle::amr;

int run_command(int argc, char** argv) {
  std::vector<VariantName> names;
  for (const Variant& v : variants()) names.push_back({v.name, v.description});
  const Parsed parsed = parse_options(argc, argv, names);
  if (parsed.text) {
    fmt::print("{}", *parsed.text);
    return 0;
  }
  const Settings& settings = parsed.settings;
  check_output_paths(settings);
  const Variant& variant = *find_variant(settings.variant);
  if (settings.threads > 0) omp_set_num_threads(settings.threads);
  if (settings.stencil == 27 && settings.is_adaptive() && !settings.quiet) {
    fmt::print("WARNING: 27 point stencil with non-uniform refinement: answers may diverge\n");
  }
  RunRecord record;
  {
    ConsoleWatcher watcher(settings);
    record = run(variant, settings, watcher);
  }
  record.threads = variant.is_parallel() ? omp_get_max_threads() : 1;
  if (!settings.results.empty()) write_results_json(settings, record);
  write_reports(settings, record);
  return record.failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const heddle::amr::UserError& e) {
    fmt::print(stderr, "heddle-amr: {}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(
        stderr,
        "heddle-amr: out of memory; give smaller blocks, fewer --num_vars or a smaller --num_refine\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "heddle-amr: {}\n", e.what());
  }
  return 2;
}
