// The shape of a block's data: the same for all blocks of a run.
#pragma once

#include <array>
#include <cstddef>

namespace heddle::amr {

/// What stencils read around a block: ghosts, which an exchange fills before, or neighbours' faces where they
/// are.
enum class Halo { ghosts, faces };

struct Shape {
  std::array<int, 3> cells{};  // interior cells along x, y, z: even
  int num_vars = 0;
  bool keeps_ghosts = false;  // ghosts are values of a block, as its cells: see Settings::keeps_ghosts()

  [[nodiscard]] int nx() const { return cells[0]; }
  [[nodiscard]] int ny() const { return cells[1]; }
  [[nodiscard]] int nz() const { return cells[2]; }
  [[nodiscard]] std::size_t interior_cells() const {
    return static_cast<std::size_t>(nx()) * static_cast<std::size_t>(ny()) * static_cast<std::size_t>(nz());
  }
  /// Of a block as it goes to other ranks and into checkpoints: variables, then values of each along x, y, z.
  [[nodiscard]] std::array<int, 4> kept() const {
    const int more = keeps_ghosts ? 2 : 0;
    return {num_vars, nx() + more, ny() + more, nz() + more};
  }
};

/// Doubles before the first interior cell of a row in a padded buffer: interiors then start on a cache line.
inline constexpr int kRowLead = 8;

/// Doubles from row to row of a padded buffer, which holds a row and its two ghosts.
[[nodiscard]] constexpr int padded_pitch(int nz) {
  return (kRowLead + nz + 1 + 7) / 8 * 8;
}

}  // namespace heddle::amr
