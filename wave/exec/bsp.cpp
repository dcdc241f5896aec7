#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "program/range.hpp"
#include "wave/exec/models.hpp"

namespace heddle::wave {
namespace {

class Bsp final : public StepByStep {
 public:
  Bsp(int partitions, Cut cut, BulkConstruct construct)
      : partitions_(partitions), cut_(cut), construct_(construct) {}

 private:
  void mesh_begins(Engine& engine) override {
    begins_ = cut_patches(engine.graph().patches(), partitions_, cut_);
  }

  double traverse(Engine& engine, const Step& step, Traversal traversal) override {
    const auto partitions = begins_.size() - 1;  // unsigned: Clang counts taskloop iterations so
    double longest = std::numeric_limits<double>::infinity();
    if (construct_ == BulkConstruct::parallel_for) {
#pragma omp parallel for schedule(dynamic) reduction(min : longest)
      for (std::size_t part = 0; part < partitions; ++part)
        longest = std::min(longest, traverse_part(engine, step, traversal, part));
    } else {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) reduction(min : longest)
      for (std::size_t part = 0; part < partitions; ++part)
        longest = std::min(longest, traverse_part(engine, step, traversal, part));
    }
    return longest;
  }

  double traverse_part(Engine& engine, const Step& step, Traversal traversal, std::size_t part) const {
    const program::Range range("traversal");
    double longest = std::numeric_limits<double>::infinity();
    for (int patch = begins_[part]; patch < begins_[part + 1]; ++patch)
      longest = std::min(longest, engine.execute(traversal, patch, step, omp_get_thread_num()));
    return longest;
  }

  int partitions_;
  Cut cut_;
  BulkConstruct construct_;
  std::vector<int> begins_;
};

}  // namespace

std::unique_ptr<Model> make_bsp(int partitions, Cut cut, BulkConstruct construct) {
  return std::make_unique<Bsp>(partitions, cut, construct);
}

}  // namespace heddle::wave
