// serial: every loop in order on the calling thread. What all other variants are compared with.
#include "amr/exec/loops.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

struct InOrder {
  template <class Body>
  static void exchange(int n, Body&& body) {
    for (int b = 0; b < n; ++b) body(b);
  }
  template <class Body>
  static void compute(int n, Body&& body) {
    for (int b = 0; b < n; ++b) body(b);
  }
};

}  // namespace

RunRecord run_serial(const Settings& settings, Watcher& watcher) {
  Simulation<ContiguousField> simulation(settings, watcher);
  LoopModel<ContiguousField, InOrder> model(true);
  return simulation.run(model);
}

}  // namespace heddle::amr
