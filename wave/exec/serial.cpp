#include <algorithm>
#include <limits>

#include "wave/exec/models.hpp"

namespace heddle::wave {
namespace {

class Serial final : public StepByStep {
  double traverse(Engine& engine, const Step& step, Traversal traversal) override {
    double longest = std::numeric_limits<double>::infinity();
    for (int patch = 0; patch < engine.graph().patches(); ++patch)
      longest = std::min(longest, engine.execute(traversal, patch, step, 0));
    return longest;
  }
};

}  // namespace

std::unique_ptr<Model> make_serial() {
  return std::make_unique<Serial>();
}

}  // namespace heddle::wave
