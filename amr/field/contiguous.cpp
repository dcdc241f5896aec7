#include "amr/field/contiguous.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef __linux__
#  include <sys/mman.h>
#endif

namespace heddle::amr {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Slots come so many bytes at a time, so that small ones lie in huge pages as well. Measured (8^3 cells, 6
// variables, one thread): with an allocation each, refinement takes three times as long, all in first
// touches.
constexpr std::size_t kSlab = std::size_t{64} << 20;

/// So many slots fit into the machine's memory.
std::size_t most_slots(std::size_t bytes_of_one) {
  const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  const auto page = static_cast<std::size_t>(std::max(sysconf(_SC_PAGESIZE), 1L));
  return pages * page / bytes_of_one + 1;
}

/// Asks for huge pages: a sweep over one variable of all blocks would otherwise miss the TLB at every block.
/// Memory that nobody touches is not there.
double* allocate_slab(std::size_t bytes) {
  const std::size_t size = round_up(bytes, kHugePage);
  void* memory = std::aligned_alloc(kHugePage, size);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
  madvise(memory, size, MADV_HUGEPAGE);  // a wish: failure costs only speed
#endif
  return static_cast<double*>(memory);
}

}  // namespace

void ContiguousField::Free::operator()(double* memory) const {
  std::free(memory);
}

ContiguousField::ContiguousField(const Shape& shape, Halo halo)
    : shape_(shape), has_faces_(halo == Halo::faces) {
  place_cells();
  place_faces();
  slots_a_slab_ = std::max<std::size_t>(kSlab / slot_bytes_, 1);
  slots_.reserve(most_slots(slot_bytes_));
  if (has_faces_) held_.reserve(kFacesOfABlock * slots_.capacity());
}

// Of a brick.
void ContiguousField::place_cells() {
  const std::ptrdiff_t n[3] = {shape_.nx(), shape_.ny(), shape_.nz()};
  std::ptrdiff_t end = 0;
  const auto place = [&](int pi, int pj, int pk) {
    const std::ptrdiff_t along_j = pj != 0 ? 1 : n[1];
    const std::ptrdiff_t along_k = pk != 0 ? 1 : n[2];
    Region r;
    r.stride_k = pk != 0 ? 0 : 1;
    r.stride_j = pj != 0 ? 0 : along_k;
    r.stride_i = pi != 0 ? 0 : along_j * along_k;
    r.offset = end - (r.stride_i + r.stride_j + r.stride_k);  // indices of the inside start at 1
    regions_[9 * pi + 3 * pj + pk] = r;
    const std::ptrdiff_t start = end;
    end += (pi != 0 ? 1 : n[0]) * along_j * along_k;
    return start;
  };
  const auto align = [&] { end = static_cast<std::ptrdiff_t>(round_up(end, kCacheLine / sizeof(double))); };

  place(0, 0, 0);
  align();
  ghost_end_ = end;
  if (!has_faces_) {
    for (int side = 0; side < 2; ++side) ghost_[0 + side] = (place(1 + side, 0, 0)), align();
    for (int side = 0; side < 2; ++side) ghost_[2 + side] = (place(0, 1 + side, 0)), align();
    for (int side = 0; side < 2; ++side) ghost_[4 + side] = (place(0, 0, 1 + side)), align();
    ghost_end_ = end;
    for (int side = 0; side < 2; ++side)
      face_[0][4 + side] = face_[1][4 + side] = end, end += n[0] * n[1], align();
    for (int c = 0; c < 27; ++c) {
      const int outside = (c / 9 != 0) + (c / 3 % 3 != 0) + (c % 3 != 0);
      if (outside >= 2) place(c / 9, c / 3 % 3, c % 3);
    }
    align();
  }
  brick_ = static_cast<std::size_t>(end);
  inner_ = {0, (n[0] - 1) * n[1] * n[2], 0, (n[1] - 1) * n[2], 0, 0};
  inner_stride_ = {n[2], n[1] * n[2], 0};
  ghost_stride_ = {n[2], n[2], n[1]};
}

// Behind the bricks of a slot; skins are in them.
void ContiguousField::place_faces() {
  const auto variables = static_cast<std::size_t>(shape_.num_vars);
  std::size_t end = brick_ * variables;
  face_step_.fill(static_cast<std::ptrdiff_t>(brick_));
  if (has_faces_) {
    const std::size_t n[3] = {static_cast<std::size_t>(shape_.nx()), static_cast<std::size_t>(shape_.ny()),
                              static_cast<std::size_t>(shape_.nz())};
    for (int generation = 0; generation < 2; ++generation) {
      for (std::size_t number = 0; number < kFacesOfABlock; ++number) {
        const std::size_t axis = number / 2;
        const std::size_t plane = round_up(n[0] * n[1] * n[2] / n[axis], kCacheLine / sizeof(double));
        face_[generation][number] = static_cast<std::ptrdiff_t>(end);
        face_step_[axis] = static_cast<std::ptrdiff_t>(plane);
        end += plane * variables;
      }
    }
  }
  slot_bytes_ = end * sizeof(double);
}

int ContiguousField::reserve() {
  if (free_.empty()) {
    if (slots_.size() == slots_.capacity()) throw std::bad_alloc();
    free_.push_back(static_cast<int>(slots_.size()));
    const std::size_t in_slab = slots_.size() % slots_a_slab_;
    if (in_slab == 0) slabs_.emplace_back(allocate_slab(slots_a_slab_ * slot_bytes_));
    slots_.push_back(slabs_.back().get() + in_slab * slot_bytes_ / sizeof(double));
  }
  const int slot = free_.back();
  free_.pop_back();
  return slot;
}

void ContiguousField::clear_ghosts(int slot) {
  if (has_faces_) return;
  const auto interior = static_cast<std::size_t>(ghost_[0]);
  for (int v = 0; v < shape_.num_vars; ++v) {
    std::memset(brick(slot, v) + interior, 0, (brick_ - interior) * sizeof(double));
  }
}

void ContiguousField::refresh_faces(int slot, int v, int generation) {
  for (int i = 1; i <= shape_.nx(); ++i) {
    for (int j = 1; j <= shape_.ny(); ++j) finish_row(slot, v, i, j, row(slot, v, i, j), generation);
  }
}

void ContiguousField::hold_planes(std::span<const std::array<int, 2>> faces) {
  const auto at = [&](const std::array<int, 2>& face) -> double*& {
    return held_[kFacesOfABlock * static_cast<std::size_t>(face[0]) + static_cast<std::size_t>(face[1])];
  };
  const auto axis_of = [](const std::array<int, 2>& face) { return static_cast<std::size_t>(face[1] / 2); };
  held_.resize(kFacesOfABlock * slots_.size());
  for (auto& [face, planes] : left_planes_) {
    at(face) = nullptr;
    free_planes_[axis_of(face)].push_back(std::move(planes));
  }
  left_planes_.clear();
  std::map<std::array<int, 2>, Planes> before = std::exchange(held_planes_, {});
  for (const std::array<int, 2>& face : faces) {
    Planes& planes = held_planes_[face];
    std::vector<Planes>& free = free_planes_[axis_of(face)];
    if (const auto same = before.find(face); same != before.end()) {
      planes = std::move(same->second);
      before.erase(same);
      continue;
    }
    if (!free.empty()) {
      planes = std::move(free.back());
      free.pop_back();
    } else {
      const auto doubles = static_cast<std::size_t>(face_step_[axis_of(face)]);
      planes = std::make_unique<double[]>(doubles * static_cast<std::size_t>(shape_.num_vars));
    }
    at(face) = planes.get();
  }
  for (auto& [face, planes] : before) left_planes_.emplace_back(face, std::move(planes));
}

}  // namespace heddle::amr
