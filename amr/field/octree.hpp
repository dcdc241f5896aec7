// The mesh of this application: three dimensions, each block split into eight.
#pragma once

#include "exchange/block_store.hpp"
#include "exchange/transfer_plan.hpp"
#include "mesh/balance.hpp"
#include "mesh/block_tree.hpp"

namespace heddle::amr {

inline constexpr int kAxes = 3;
inline constexpr int kRatio = 2;
inline constexpr std::array<std::array<int, 2>, kAxes> kTransverse{
    {mesh::transverse<kAxes>(0), mesh::transverse<kAxes>(1), mesh::transverse<kAxes>(2)}};
inline constexpr int kFaces = mesh::kFaces<kAxes>;
inline constexpr int kChildren = mesh::kChildren<kAxes, kRatio>;

using BlockId = mesh::BlockId<kAxes>;
using BlockTree = mesh::BlockTree<kAxes, kRatio>;
using BlockFaces = mesh::BlockFaces<kAxes, kRatio>;
using Extent = mesh::Extent<kAxes>;
using Family = mesh::Family<kAxes, kRatio>;
using Geometry = mesh::Geometry<kAxes, kRatio>;
using Leaf = mesh::Leaf<kAxes>;
using Part = mesh::Part<kAxes, kRatio>;
using TransferPlan = exchange::TransferPlan<kAxes, kRatio>;
using exchange::BlockStore;
using exchange::Transfer;
using mesh::Mark;
using mesh::Marks;
using mesh::RefinementPlan;
using TransferOperator = exchange::Operator;

/// The order in which the reference goes through blocks: level by level, the highest number of each first.
[[nodiscard]] inline bool comes_first_in_reference(const Leaf& a, const Leaf& b) {
  return a.id.level != b.id.level ? a.id.level < b.id.level : a.number > b.number;
}

}  // namespace heddle::amr
