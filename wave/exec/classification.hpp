// Which patches are enclaves: those that nobody outside of their partition waits for.
//
// Words: a *skeleton* patch has a reason not to be an *enclave*: what it becomes is needed across a border,
// so it is computed first.
//
// Invariant: a pure function of the mesh and the cut. The class of a patch decides when and where it is
// computed, never what it becomes.
//
// Source: Charrier, Hazelwood and Weinzierl, "Enclave tasking for DG methods on dynamically adaptive meshes",
// 2020; Schulz et al., 2021, section 2.
#pragma once

#include <vector>

#include "wave/exec/patch_graph.hpp"

namespace heddle::wave {

/// Why a patch is no enclave: any of these.
enum Reason : unsigned char {
  kAtBoundary = 1,     // of the domain
  kAtPartition = 2,    // a neighbour lies in another partition
  kAtHangingFace = 4,  // a neighbour is finer or coarser
  kAtRank = 8,         // a neighbour is another rank's
};

/// Reasons of every patch; 0 for enclaves. begins: of the partitions, and the end, as cut_patches() has them.
[[nodiscard]] std::vector<unsigned char> classify(const PatchGraph& graph, const std::vector<int>& begins);

}  // namespace heddle::wave
