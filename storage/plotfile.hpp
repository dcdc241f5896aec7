// Plotfiles: the leaves of a mesh with the values in their cells, as AMReX lays them out, which yt and
// ParaView open.
//
// Words: a *plotfile* is a folder: a text `Header`, a text `job_info` with the axes that are periodic, for
// which `Header` has no place, and for each level a text `Cell_H` with the boxes and files of bytes. A *box*
// is the cells of one block, numbered within their level. A *component* is one number of a cell. A *covered*
// box is of a block that was split.
//
// Invariant: each level's boxes lie within those of the next coarser one, as readers expect, and level 0, the
// coarsest level that has leaves, is the whole domain. A cell of a covered box is the mean of those that
// cover it. Each rank knows where its bytes go without asking, and reads others' for means.
//
// Source: AMReX documentation, "Plotfile format"; vtkAMReXGridReader and yt read what is written here
// (tests).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "mesh/block_tree.hpp"
#include "storage/for_each.hpp"

namespace heddle::storage {

template <int D>
struct PlotContent {
  std::vector<std::string> names;  // of the components; "level" and "owner" are added to them
  std::array<int, D> cells{};      // of a block, along each axis
  std::array<double, D> low{};     // corners of the domain
  std::array<double, D> high{};
  std::array<bool, D> is_periodic{};
  double time = 0.0;
  int step = 0;
  /// Writes the cells of a rank's own leaf, counted along the curve: component after component, axis 0
  /// fastest. Threads: distinct leaves at the same time.
  std::function<void(int own, double* to)> fill;
};

/// Writes the folder, beside its name first. Requires: R divides the cells of a block, unless all leaves are
/// of one level: faces of boxes are faces of coarser cells. Collective. Errors: throws UserError on every
/// rank if one cannot write; what had the name before is there still.
template <int D, int R>
void write_plotfile(const std::string& path, const mesh::BlockTree<D, R>& tree, const PlotContent<D>& content,
                    exchange::Communicator& ranks, const ForEach& for_each);

extern template void write_plotfile(const std::string&, const mesh::BlockTree<2, 2>&, const PlotContent<2>&,
                                    exchange::Communicator&, const ForEach&);
extern template void write_plotfile(const std::string&, const mesh::BlockTree<2, 3>&, const PlotContent<2>&,
                                    exchange::Communicator&, const ForEach&);
extern template void write_plotfile(const std::string&, const mesh::BlockTree<3, 2>&, const PlotContent<3>&,
                                    exchange::Communicator&, const ForEach&);
extern template void write_plotfile(const std::string&, const mesh::BlockTree<3, 3>&, const PlotContent<3>&,
                                    exchange::Communicator&, const ForEach&);

/// The plotfiles of one run, for tools that show them as an animation: PREFIX.visit for VisIt, and
/// PREFIX.series with their times.
class PlotSeries {
 public:
  /// prefix: of the plotfiles' names, with their folder.
  explicit PlotSeries(std::string prefix) : prefix_(std::move(prefix)) {}

  struct Entry {
    int step = 0;
    double time = 0.0;
  };

  /// The prefix and at least five digits of the step, as AMReX names them.
  [[nodiscard]] std::string path_of(int step) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// One more; from a step that is there already on, they are replaced.
  void add(Entry entry);
  /// Errors: throws UserError, as check().
  void write() const;
  /// Whether there can be any: before anything is computed. Leaves no new file behind.
  void check() const;

 private:
  [[nodiscard]] std::string visit() const { return prefix_ + ".visit"; }
  [[nodiscard]] std::string series() const { return prefix_ + ".series"; }

  std::string prefix_;
  std::vector<Entry> entries_;
};

}  // namespace heddle::storage
