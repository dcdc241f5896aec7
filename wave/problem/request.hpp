// What a user may ask of a problem, and what comes of it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "wave/exec/solver.hpp"
#include "wave/flux/limiter.hpp"
#include "wave/patch/halo.hpp"
#include "wave/problem/exact_riemann.hpp"

namespace heddle::wave {

enum class CriterionKind {
  jump,   // where unknown 0 jumps between neighbouring volumes
  ball,   // where a ball that moves along the diagonal is
  fixed,  // nowhere: the mesh is that of base_level
};

enum class Scheme {
  rusanov,        // first order
  muscl_hancock,  // second order
};

inline constexpr Limiter kDefaultLimiter = Limiter::mc;

/// A ball for CriterionKind::ball, in lengths of the domain's first axis: its centre has the same coordinate
/// along every axis, and comes back at the other end.
struct Ball {
  double centre = 0.3, velocity = 5.0, radius = 0.2;
};

/// Zero, or a negative number where zero means something, stands for the problem's own choice.
struct ProblemRequest {
  std::string name = "sedov";
  int dim = 2;
  int ratio = 3;
  int volumes = 0;
  std::vector<int> roots;
  int base_level = -1;
  int max_level = -1;
  int regrid_freq = -1;
  std::optional<CriterionKind> criterion;
  double refine_above = 0.02;
  double coarsen_below = 0.005;
  std::string jump_option;  // one of these two, if any was given
  std::optional<Ball> ball;
  double cfl = 0.0;
  double gamma = 0.0;
  double end = 0.0;
  std::optional<GasState> left, right;  // of problem riemann
  HangingFlux hanging = HangingFlux::from_fine;
  Scheme scheme = Scheme::rusanov;
  std::optional<Limiter> limiter;  // of the second order scheme
};

struct ProblemInfo {
  std::string name;
  std::string equation;
  std::string description;
};

/// What a problem is prepared for: it outlives the solver.
struct Machine {
  exchange::Communicator& ranks;
  int threads = 1;  // the largest team
};

struct Prepared {
  std::unique_ptr<Solver> solver;
  double end = 0.0;
};

}  // namespace heddle::wave
