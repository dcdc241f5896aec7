#include "wave/problem/catalogue.hpp"

#include <fmt/core.h>

#include "program/user_error.hpp"
#include "wave/problem/families.hpp"

namespace heddle::wave {
namespace {

std::array<Family, 4> families() {
  return {gas_family(), acoustics_family(), advection_family(), shallow_water_family()};
}

Family family_with(const std::string& name) {
  for (const Family& family : families()) {
    for (const ProblemInfo& info : family.infos()) {
      if (info.name == name) return family;
    }
  }
  throw program::UserError(
      fmt::format("--problem {} does not exist; heddle-wave --help lists those that do", name));
}

}  // namespace

std::vector<ProblemInfo> problems() {
  std::vector<ProblemInfo> all;
  for (const Family& family : families()) {
    for (ProblemInfo& info : family.infos()) all.push_back(std::move(info));
  }
  return all;
}

Prepared prepare(const ProblemRequest& request, const Machine& machine) {
  return family_with(request.name).prepare(request, machine);
}

std::unique_ptr<InitialMesh> initial_mesh(const ProblemRequest& request, int ranks) {
  return family_with(request.name).initial_mesh(request, ranks);
}

}  // namespace heddle::wave
