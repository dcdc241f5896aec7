// One rank of heddle-amr on one mesh: its plans, and the sizes of its messages.
#pragma once

#include <array>
#include <vector>

#include "amr/halo/pieces.hpp"
#include "amr/halo/rank_exchange.hpp"
#include "amr/io/settings.hpp"
#include "simulate/generate/amr_meshes.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Messages between two ranks that may be on their way together have channels of their own: those of an axis,
/// on two meshes, and behind them the blocks of a wave.
inline constexpr int kMostParts = 1 << 16;
inline constexpr int kMeshesInUse = 2;
inline constexpr int kBlockChannel = kMeshesInUse * amr::kAxes * kMostParts;

class AmrRank {
 public:
  /// What goes as one message.
  struct Part {
    int message;                 // of the text
    std::vector<double> values;  // of each piece, of one variable
    std::vector<int> slots;      // of each piece: whose ghosts, or whose cells
    [[nodiscard]] double sum() const;
  };

  /// mesh: its number in the run.
  AmrRank(const amr::Settings& settings, AmrMeshes::Plans plans, int mesh, ProcessText& text);

  [[nodiscard]] int mesh() const { return mesh_; }
  [[nodiscard]] int blocks() const { return plans_.transfers.leaves(); }
  /// Where a block's data lies.
  [[nodiscard]] int slot(int block) const { return plans_.transfers.slot(block); }
  [[nodiscard]] const amr::TransferPlan& transfers() const { return plans_.transfers; }
  [[nodiscard]] const std::vector<Part>& sends(int axis) const {
    return sends_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] const std::vector<Part>& receives(int axis) const {
    return receives_[static_cast<std::size_t>(axis)];
  }

 private:
  std::vector<Part> parts_of(const std::vector<exchange::Message>& plan, int axis, bool are_sent,
                             const amr::Settings& settings, ProcessText& text) const;

  AmrMeshes::Plans plans_;
  int mesh_;
  std::array<std::vector<Part>, amr::kAxes> sends_, receives_;
};

}  // namespace heddle::simulate
