// Scratch memory of one thread: plane buffers that fit the first-level cache, and, for stencil 0, a padded
// copy of a whole block.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "amr/field/shape.hpp"

namespace heddle::amr {

class Workspace {
 public:
  /// A zeroed buffer of at least this many doubles, on a cache line; what it held before is lost when it must
  /// grow.
  [[nodiscard]] double* at_least(std::size_t count) {
    if (count > count_) {
      const std::size_t bytes = (count * sizeof(double) + 63) / 64 * 64;
      memory_.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
      if (memory_ == nullptr) throw std::bad_alloc();
      std::memset(memory_.get(), 0, bytes);
      count_ = count;
    }
    return memory_.get();
  }

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };
  std::unique_ptr<double, Free> memory_;
  std::size_t count_ = 0;
};

/// Doubles of one padded plane buffer.
[[nodiscard]] inline std::size_t plane_buffer_size(const Shape& shape) {
  return static_cast<std::size_t>(shape.ny() + 2) * static_cast<std::size_t>(padded_pitch(shape.nz()));
}

}  // namespace heddle::amr
