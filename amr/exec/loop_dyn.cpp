// loop-dyn: loop, but the exchange, whose work differs from block to block, is scheduled dynamically.
#include "amr/exec/loops.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

struct DynamicExchange {
  template <class Body>
  static void exchange(int n, Body&& body) {
#pragma omp parallel for schedule(dynamic)
    for (int b = 0; b < n; ++b) body(b);
  }
  template <class Body>
  static void compute(int n, Body&& body) {
#pragma omp parallel for schedule(static)
    for (int b = 0; b < n; ++b) body(b);
  }
};

}  // namespace

RunRecord run_loop_dyn(const Settings& settings, Watcher& watcher) {
  Simulation<ContiguousField> simulation(settings, watcher);
  LoopModel<ContiguousField, DynamicExchange> model(true);
  return simulation.run(model);
}

}  // namespace heddle::amr
