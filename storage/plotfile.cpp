#include "storage/plotfile.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "program/fail_together.hpp"
#include "program/first_error.hpp"
#include "program/user_error.hpp"
#include "program/whole_file.hpp"
#include "storage/shared_file.hpp"

namespace heddle::storage {
namespace {

namespace fs = std::filesystem;

// AMReX writes 64 files a level by default, too.
constexpr int kMostFiles = 64;
// Of a number in the tables of least and greatest values, with its comma.
constexpr std::size_t kNumber = 25;

template <int D>
std::string numbers(const std::array<int, D>& values) {
  return fmt::format("({})", fmt::join(values, ","));
}

template <int D>
std::string box_text(const std::array<int, D>& low, const std::array<int, D>& high) {
  return fmt::format("({} {} {})", numbers<D>(low), numbers<D>(high), numbers<D>({}));
}

template <int D>
struct Box {
  std::array<int, D> position{};  // in blocks of its level
  int owner = 0;                  // who writes it
  int first_child = -1;           // of a covered box: in the next level, where its children stand together
  std::uint64_t begin = 0;        // in its file
};

/// The boxes of one level, along the curve: leaves, and what finer ones cover.
template <int D>
struct Level {
  std::vector<Box<D>> boxes;
  std::int64_t table = 0;  // where in Cell_H the least values begin: rank 0 tells the others
};

template <int D, int R>
class Writer {
 public:
  Writer(const std::string& folder, const mesh::BlockTree<D, R>& tree, const PlotContent<D>& content,
         exchange::Communicator& ranks)
      : folder_(folder),
        tree_(tree),
        content_(content),
        ranks_(ranks),
        names_(content.names),
        files_(std::min(ranks.size(), kMostFiles)) {
    names_.insert(names_.end(), {"level", "owner"});
    for (const int n : content.cells) cells_ *= static_cast<std::size_t>(n);
    const std::vector<int> per_level = tree.leaves_per_level();
    while (per_level[static_cast<std::size_t>(coarsest_)] == 0) ++coarsest_;
    int finest = static_cast<int>(per_level.size()) - 1;
    while (per_level[static_cast<std::size_t>(finest)] == 0) --finest;
    levels_.resize(static_cast<std::size_t>(finest - coarsest_ + 1));
    place_boxes();
  }

  void write(const ForEach& for_each) {
    program::fail_together(ranks_, [&] {
      if (ranks_.rank() == 0) write_texts();
    });
    std::vector<std::int64_t> tables;
    for (const Level<D>& level : levels_) tables.push_back(level.table);
    ranks_.reduce(tables, exchange::Reduction::most);
    for (std::size_t l = 0; l < levels_.size(); ++l) levels_[l].table = tables[l];
    program::fail_together(
        ranks_, [&] { write_boxes(own_, for_each, [&](int n, double* to) { content_.fill(n, to); }); });
    for (int l = static_cast<int>(levels_.size()) - 2; l >= 0; --l)
      program::fail_together(ranks_, [&] { write_covered(l, for_each); });
  }

 private:
  /// A box of this rank.
  struct Own {
    int level = 0;        // of the plotfile
    std::size_t box = 0;  // within it
  };

  [[nodiscard]] const Box<D>& box(const Own& own) const {
    return levels_[static_cast<std::size_t>(own.level)].boxes[own.box];
  }
  [[nodiscard]] int file_of(const Box<D>& box) const {
    return static_cast<int>(static_cast<long long>(box.owner) * files_ / ranks_.size());
  }
  [[nodiscard]] std::size_t components() const { return names_.size(); }
  /// The line before a box's values: eight bytes each, IEEE, the least significant first.
  [[nodiscard]] std::string line_before(const Box<D>& box) const {
    return fmt::format("FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1))){} {}\n", cells_of(box),
                       components());
  }
  [[nodiscard]] std::string level_folder(int level) const {
    return fmt::format("{}/Level_{}", folder_, level);
  }
  [[nodiscard]] static std::string file_name(int file) { return fmt::format("Cell_D_{:05}", file); }

  // A curve leaves a block when it has been through all of it: what lies in one box stands together.
  void place_boxes() {
    for (int leaf = 0; leaf < tree_.size(); ++leaf) {
      const mesh::BlockId<D> id = tree_.id(leaf);
      const int depth = tree_.key(leaf).level - coarsest_;
      for (int l = 0, finer = power(R, depth); l <= depth; ++l, finer /= R) {
        std::vector<Box<D>>& boxes = levels_[static_cast<std::size_t>(l)].boxes;
        Box<D> box;
        for (int d = 0; d < D; ++d) box.position[d] = id.position[d] / finer;
        if (!boxes.empty() && boxes.back().position == box.position) continue;
        box.owner = tree_.key(leaf).owner;
        if (l < depth)
          box.first_child = static_cast<int>(levels_[static_cast<std::size_t>(l) + 1].boxes.size());
        if (l == depth && box.owner == ranks_.rank()) own_.push_back({l, boxes.size()});
        boxes.push_back(box);
      }
    }
    for (Level<D>& level : levels_) {
      std::vector<std::uint64_t> ends(static_cast<std::size_t>(files_));
      for (Box<D>& box : level.boxes) {
        std::uint64_t& end = ends[static_cast<std::size_t>(file_of(box))];
        box.begin = end;
        end += line_before(box).size() + components() * cells_ * sizeof(double);
      }
    }
  }

  [[nodiscard]] std::string cells_of(const Box<D>& box) const {
    std::array<int, D> low, high;
    for (int d = 0; d < D; ++d) {
      low[d] = box.position[d] * content_.cells[d];
      high[d] = low[d] + content_.cells[d] - 1;
    }
    return box_text<D>(low, high);
  }

  /// Length of a cell or, with blocks, of a whole block.
  [[nodiscard]] std::array<double, D> width(int level, bool of_block) const {
    std::array<double, D> w;
    for (int d = 0; d < D; ++d) {
      const double across = content_.high[d] - content_.low[d];
      w[d] = across / (static_cast<double>(tree_.geometry().blocks_along(d, coarsest_ + level)) *
                       (of_block ? 1.0 : content_.cells[d]));
    }
    return w;
  }

  [[nodiscard]] std::string header() const {
    const int finest = static_cast<int>(levels_.size()) - 1;
    std::string text = fmt::format("HyperCLaw-V1.1\n{}\n{}\n{}\n{}\n{}\n", components(),
                                   fmt::join(names_, "\n"), D, content_.time, finest);
    text += fmt::format("{}\n{}\n", fmt::join(content_.low, " "), fmt::join(content_.high, " "));
    text += fmt::format("{}\n", fmt::join(std::vector<int>(static_cast<std::size_t>(finest), R), " "));
    std::vector<std::string> domains;
    for (int l = 0; l <= finest; ++l) {
      std::array<int, D> high;
      for (int d = 0; d < D; ++d)
        high[d] = tree_.geometry().blocks_along(d, coarsest_ + l) * content_.cells[d] - 1;
      domains.push_back(box_text<D>({}, high));
    }
    text += fmt::format("{}\n", fmt::join(domains, " "));
    text += fmt::format("{}\n", fmt::join(std::vector<int>(levels_.size(), content_.step), " "));
    for (int l = 0; l <= finest; ++l) text += fmt::format("{}\n", fmt::join(width(l, false), " "));
    text += "0\n0\n";  // Cartesian coordinates, no ghost cells
    for (int l = 0; l <= finest; ++l) {
      const Level<D>& level = levels_[static_cast<std::size_t>(l)];
      text += fmt::format("{} {} {}\n{}\n", l, level.boxes.size(), content_.time, content_.step);
      const std::array<double, D> w = width(l, true);
      for (const Box<D>& box : level.boxes) {
        for (int d = 0; d < D; ++d)
          fmt::format_to(std::back_inserter(text), "{} {}\n", content_.low[d] + box.position[d] * w[d],
                         content_.low[d] + (box.position[d] + 1) * w[d]);
      }
      text += fmt::format("Level_{}/Cell\n", l);
    }
    return text;
  }

  /// Parameters as programs that use AMReX list theirs, under the names that readers look for: AMReX's own,
  /// and that of yt, in which 1 means periodic.
  [[nodiscard]] std::string job_info() const {
    std::array<int, D> periodic;
    std::copy(content_.is_periodic.begin(), content_.is_periodic.end(), periodic.begin());
    const std::string axes = fmt::format("{}", fmt::join(periodic, " "));
    return fmt::format("geometry.is_periodic = {}\nProb.lo_bc = {}\n", axes, axes);
  }

  /// Up to the least values.
  [[nodiscard]] std::string level_header(const Level<D>& level) const {
    // Version 1, one box after the other in files, no ghost cells.
    std::string text = fmt::format("1\n1\n{}\n0\n({} 0\n", components(), level.boxes.size());
    for (const Box<D>& box : level.boxes) fmt::format_to(std::back_inserter(text), "{}\n", cells_of(box));
    text += fmt::format(")\n{}\n", level.boxes.size());
    for (const Box<D>& box : level.boxes)
      fmt::format_to(std::back_inserter(text), "FabOnDisk: {} {}\n", file_name(file_of(box)), box.begin);
    return text + fmt::format("\n{},{}\n", level.boxes.size(), components());
  }

  // A table has a line a box.
  [[nodiscard]] std::size_t line_bytes() const { return components() * kNumber + 1; }
  [[nodiscard]] std::string between_tables(const Level<D>& level) const {
    return fmt::format("\n{},{}\n", level.boxes.size(), components());
  }
  [[nodiscard]] std::uint64_t line_at(const Level<D>& level, bool of_greatest, std::size_t box) const {
    const std::size_t table = level.boxes.size() * line_bytes() + between_tables(level).size();
    return static_cast<std::uint64_t>(level.table) + (of_greatest ? table : 0) + box * line_bytes();
  }

  void write_texts() {
    std::error_code error;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      fs::create_directories(level_folder(static_cast<int>(l)), error);
      if (error)
        throw program::UserError(
            fmt::format("cannot write {}: {}; make room or choose another path", folder_, error.message()));
      Level<D>& level = levels_[l];
      const std::string text = level_header(level);
      level.table = static_cast<std::int64_t>(text.size());
      const SharedFile file(level_folder(static_cast<int>(l)) + "/Cell_H");
      put(file, 0, text);
      put(file, line_at(level, true, 0) - between_tables(level).size(), between_tables(level));
      put(file, line_at(level, true, level.boxes.size()), "\n");
    }
    put(SharedFile(folder_ + "/job_info"), 0, job_info());
    put(SharedFile(folder_ + "/Header"), 0, header());
  }

  static void put(const SharedFile& file, std::uint64_t at, const std::string& text) {
    file.write(at, std::as_bytes(std::span(text)));
  }

  struct Files {
    SharedFile values, table;
  };

  /// Writes these boxes of this rank, with fill(n, values) for the n-th.
  void write_boxes(const std::vector<Own>& boxes, const ForEach& for_each,
                   const std::function<void(int n, double* to)>& fill) const {
    std::map<int, Files> files;  // by level: a rank's boxes of a level are in one file
    for (const Own& own : boxes) {
      if (files.contains(own.level)) continue;
      const std::string folder = level_folder(own.level);
      files.emplace(own.level, Files{SharedFile(folder + "/" + file_name(file_of(box(own)))),
                                     SharedFile(folder + "/Cell_H")});
    }
    program::FirstError error;
    for_each(static_cast<int>(boxes.size()), [&](int n) {
      error.guard([&] {
        const Own& own = boxes[static_cast<std::size_t>(n)];
        std::vector<double> values(components() * cells_);
        fill(n, values.data());
        const std::size_t filled = content_.names.size() * cells_;
        std::fill_n(values.data() + filled, cells_, coarsest_ + own.level);
        std::fill_n(values.data() + filled + cells_, cells_, box(own).owner);
        write_box(own, values, files.at(own.level));
      });
    });
    error.rethrow();
  }

  void write_box(const Own& own, const std::vector<double>& values, const Files& files) const {
    const std::string line = line_before(box(own));
    put(files.values, box(own).begin, line);
    files.values.write(box(own).begin + line.size(), std::as_bytes(std::span(values)));
    for (const bool of_greatest : {false, true}) {
      std::string text;
      for (std::size_t c = 0; c < components(); ++c) {
        const std::span<const double> cells(values.data() + c * cells_, cells_);
        const double extreme = of_greatest ? *std::max_element(cells.begin(), cells.end())
                                           : *std::min_element(cells.begin(), cells.end());
        fmt::format_to(std::back_inserter(text), "{:24.16e},", extreme);
      }
      put(files.table, line_at(levels_[static_cast<std::size_t>(own.level)], of_greatest, own.box),
          text + "\n");
    }
  }

  /// Writes what finer boxes cover on a level of the plotfile: means of their cells, which are in files
  /// already.
  void write_covered(int level, const ForEach& for_each) const {
    std::vector<Own> covered;
    const std::vector<Box<D>>& boxes = levels_[static_cast<std::size_t>(level)].boxes;
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      if (boxes[n].first_child >= 0 && boxes[n].owner == ranks_.rank()) covered.push_back({level, n});
    }
    write_boxes(covered, for_each, [&](int n, double* to) {
      add_means(covered[static_cast<std::size_t>(n)], std::span(to, content_.names.size() * cells_));
    });
  }

  void add_means(const Own& own, std::span<double> to) const {
    std::fill(to.begin(), to.end(), 0.0);
    std::vector<double> values(to.size());
    for (int child = 0; child < power(R, D); ++child) {
      const Own finer{own.level + 1, static_cast<std::size_t>(box(own).first_child + child)};
      read_box(finer, values);
      std::array<int, D> cell{};
      for (std::size_t n = 0; n < cells_; ++n) {
        std::size_t coarse = 0;
        for (int d = D - 1; d >= 0; --d) {
          const int within = (box(finer).position[d] % R) * content_.cells[d] + cell[d];
          coarse =
              coarse * static_cast<std::size_t>(content_.cells[d]) + static_cast<std::size_t>(within / R);
        }
        for (std::size_t c = 0; c < content_.names.size(); ++c)
          to[c * cells_ + coarse] += values[c * cells_ + n];
        for (int d = 0; d < D && ++cell[d] == content_.cells[d]; ++d) cell[d] = 0;
      }
    }
    for (double& sum : to) sum /= power(R, D);
  }

  void read_box(const Own& own, std::span<double> values) const {
    const std::string path = level_folder(own.level) + "/" + file_name(file_of(box(own)));
    std::ifstream in(path, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(box(own).begin + line_before(box(own)).size()));
    in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!in) throw program::UserError(fmt::format("cannot read {} again; choose another path", path));
  }

  static constexpr int power(int base, int exponent) {
    int result = 1;
    for (int n = 0; n < exponent; ++n) result *= base;
    return result;
  }

  const std::string& folder_;
  const mesh::BlockTree<D, R>& tree_;
  const PlotContent<D>& content_;
  exchange::Communicator& ranks_;
  std::vector<std::string> names_;
  int files_;  // of bytes, a level at most
  std::size_t cells_ = 1;
  int coarsest_ = 0;
  std::vector<Level<D>> levels_;
  std::vector<Own> own_;  // leaves, along the curve
};

}  // namespace

template <int D, int R>
void write_plotfile(const std::string& path, const mesh::BlockTree<D, R>& tree, const PlotContent<D>& content,
                    exchange::Communicator& ranks, const ForEach& for_each) {
  const std::string unfinished = unfinished_name(path, ranks);
  try {
    Writer<D, R>(unfinished, tree, content, ranks).write(for_each);
    program::fail_together(ranks, [&] {
      if (ranks.rank() == 0) put_in_place(unfinished, path, false);
    });
  } catch (const program::UserError&) {
    std::error_code error;
    if (ranks.rank() == 0) fs::remove_all(unfinished, error);
    throw;
  }
  const std::string name = fs::path(path).filename().string();
  if (ranks.rank() == 0)
    remove_unfinished(program::folder_of(path), [&](const std::string& other) { return other == name; });
}

template void write_plotfile(const std::string&, const mesh::BlockTree<2, 2>&, const PlotContent<2>&,
                             exchange::Communicator&, const ForEach&);
template void write_plotfile(const std::string&, const mesh::BlockTree<2, 3>&, const PlotContent<2>&,
                             exchange::Communicator&, const ForEach&);
template void write_plotfile(const std::string&, const mesh::BlockTree<3, 2>&, const PlotContent<3>&,
                             exchange::Communicator&, const ForEach&);
template void write_plotfile(const std::string&, const mesh::BlockTree<3, 3>&, const PlotContent<3>&,
                             exchange::Communicator&, const ForEach&);

std::string PlotSeries::path_of(int step) const {
  return fmt::format("{}{:05}", prefix_, step);
}

void PlotSeries::add(Entry entry) {
  std::erase_if(entries_, [&](const Entry& other) { return other.step >= entry.step; });
  entries_.push_back(entry);
}

void PlotSeries::write() const {
  std::string listed;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Entry& entry : entries_) {
    const std::string name = fs::path(path_of(entry.step)).filename().string();
    listed += name + "/Header\n";
    files.push_back({{"name", name}, {"time", entry.time}});
  }
  const nlohmann::ordered_json with_times{{"file-series-version", "1.0"}, {"files", files}};
  program::write_whole_file(visit(), listed);
  program::write_whole_file(series(), with_times.dump(1) + "\n");
}

void PlotSeries::check() const {
  program::check_writable(visit(), "--plot_file:");
  program::check_writable(series(), "--plot_file:");
}

}  // namespace heddle::storage
