#include "amr/io/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "program/whole_file.hpp"

namespace heddle::amr {

std::string plot_file_name(int timestep, int num_tsteps) {
  int digits = 1;
  for (long long power = 1; power < num_tsteps; power *= 10) ++digits;
  return fmt::format("plot.{:0{}}", timestep, digits);
}

std::string plot_text(const BlockTree& tree, int ranks) {
  const Geometry& g = tree.geometry();
  std::string text = fmt::format("{} {} {} {} {}\n", tree.size(), g.deepest_level(), g.roots()[0],
                                 g.roots()[1], g.roots()[2]);
  std::vector<std::vector<Leaf>> of_rank(static_cast<std::size_t>(ranks));
  for (int n = 0; n < tree.size(); ++n)
    of_rank[static_cast<std::size_t>(tree.key(n).owner)].push_back(tree.leaf(n));
  for (std::vector<Leaf>& leaves : of_rank) {
    std::sort(leaves.begin(), leaves.end(), comes_first_in_reference);
    fmt::format_to(std::back_inserter(text), "{}\n", leaves.size());
    for (const Leaf& leaf : leaves) {
      fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", leaf.id.level, g.centre(leaf.id, 0),
                     g.centre(leaf.id, 1), g.centre(leaf.id, 2));
    }
  }
  return text;
}

void write_plot(const Settings& settings, const BlockTree& tree, int timestep) {
  program::write_whole_file(plot_file_name(timestep, settings.num_tsteps),
                            plot_text(tree, settings.rank_count()));
}

}  // namespace heddle::amr
