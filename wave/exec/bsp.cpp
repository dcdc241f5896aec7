#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "wave/exec/models.hpp"

namespace heddle::wave {
namespace {

class Bsp final : public Model {
 public:
  Bsp(int partitions, Cut cut, BulkConstruct construct)
      : partitions_(partitions), cut_(cut), construct_(construct) {}

  double step(Engine& engine, double dt) override {
    const int parts = partitions_ > 0 ? partitions_ : omp_get_max_threads();
    begins_ = cut_patches(engine.patches(), parts, cut_);
    const auto partitions = static_cast<std::size_t>(parts);  // unsigned: Clang counts taskloop iterations so
    double longest = std::numeric_limits<double>::infinity();
    if (construct_ == BulkConstruct::parallel_for) {
#pragma omp parallel for schedule(dynamic) reduction(min : longest)
      for (std::size_t part = 0; part < partitions; ++part)
        longest = std::min(longest, traverse(engine, dt, part));
    } else {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) reduction(min : longest)
      for (std::size_t part = 0; part < partitions; ++part)
        longest = std::min(longest, traverse(engine, dt, part));
    }
    return longest;
  }

 private:
  double traverse(Engine& engine, double dt, std::size_t part) const {
    double longest = std::numeric_limits<double>::infinity();
    for (int patch = begins_[part]; patch < begins_[part + 1]; ++patch)
      longest = std::min(longest, engine.advance(patch, dt, omp_get_thread_num()));
    return longest;
  }

  int partitions_;
  Cut cut_;
  BulkConstruct construct_;
  std::vector<int> begins_;
};

}  // namespace

std::vector<int> cut_patches(int patches, int partitions, Cut cut) {
  std::vector<int> begins{0};
  for (int part = 0; part < partitions; ++part) {
    const int first = begins.back(), left = patches - first, parts_left = partitions - part;
    const int size = cut == Cut::well ? (left + parts_left - 1) / parts_left : (left + 1) / 2;
    begins.push_back(part + 1 == partitions ? patches : first + size);
  }
  return begins;
}

std::unique_ptr<Model> make_bsp(int partitions, Cut cut, BulkConstruct construct) {
  return std::make_unique<Bsp>(partitions, cut, construct);
}

}  // namespace heddle::wave
