#include "wave/exec/partitions.hpp"

#include <omp.h>

namespace heddle::wave {

std::vector<int> cut_patches(int patches, int partitions, Cut cut) {
  if (partitions == 0) partitions = omp_get_max_threads();
  std::vector<int> begins{0};
  for (int part = 0; part < partitions; ++part) {
    const int first = begins.back(), left = patches - first, parts_left = partitions - part;
    const int size = cut == Cut::well ? (left + parts_left - 1) / parts_left : (left + 1) / 2;
    begins.push_back(part + 1 == partitions ? patches : first + size);
  }
  return begins;
}

}  // namespace heddle::wave
