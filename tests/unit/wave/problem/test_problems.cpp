// Problems by name: what they compute is what is known of them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "program/user_error.hpp"
#include "tests/unit/wave/exec/cases.hpp"
#include "wave/exec/models.hpp"
#include "wave/problem/catalogue.hpp"

namespace heddle::wave {
namespace {

/// A uniform mesh.
ProblemRequest uniform(const char* name, int dim, int ratio, int level, int volumes) {
  ProblemRequest request;
  request.name = name;
  request.dim = dim;
  request.ratio = ratio;
  request.volumes = volumes;
  request.base_level = request.max_level = level;
  return request;
}

Prepared prepare_alone(const ProblemRequest& request) {
  static exchange::SerialCommunicator alone;
  return prepare(request, {alone, 1});
}

std::map<std::string, double> errors_of(const ProblemRequest& request) {
  const Prepared prepared = prepare_alone(request);
  prepared.solver->run(*make_serial(), prepared.end, kNoLimit);
  EXPECT_EQ(prepared.solver->time(), prepared.end);
  std::map<std::string, double> errors;
  for (const Named& error : prepared.solver->mean_errors()) errors[error.name] = error.value;
  return errors;
}

TEST(Problems, EachRunsInEveryDimensionAndRatioOnAMeshThatChanges) {
  for (const ProblemInfo& info : problems()) {
    for (const int dim : {2, 3}) {
      if (info.name == "dam-break" && dim == 3) continue;
      for (const int ratio : {2, 3}) {
        ProblemRequest request = uniform(info.name.c_str(), dim, ratio, 0, 4);
        request.max_level = 1;
        const Prepared prepared = prepare_alone(request);
        const int steps = prepared.solver->run(*make_serial(), prepared.end, 8);
        EXPECT_TRUE(steps == 8 || prepared.solver->time() == prepared.end) << info.name << " " << steps;
        for (const Named& error : prepared.solver->mean_errors())
          EXPECT_TRUE(std::isfinite(error.value)) << info.name << " " << error.name;
        for (const Named& integral : prepared.solver->integrals())
          EXPECT_TRUE(std::isfinite(integral.value)) << info.name << " " << integral.name;
      }
    }
  }
}

TEST(Problems, UnknownOnesAndThoseThatLackADimensionAreRefused) {
  EXPECT_THROW((void)prepare_alone(uniform("sedow", 2, 3, 0, 4)), program::UserError);
  EXPECT_THROW((void)prepare_alone(uniform("dam-break", 3, 3, 0, 4)), program::UserError);
  ProblemRequest vacuum = uniform("riemann", 2, 3, 0, 4);
  vacuum.left = GasState{1, -100, 1};
  vacuum.right = GasState{1, 100, 1};
  EXPECT_THROW((void)prepare_alone(vacuum), program::UserError);
  ProblemRequest levels = uniform("sod", 2, 3, 2, 4);
  levels.max_level = 1;
  EXPECT_THROW((void)prepare_alone(levels), program::UserError);
  levels.max_level = 20;
  EXPECT_THROW((void)prepare_alone(levels), program::UserError);
  ProblemRequest roots = uniform("sod", 2, 3, 0, 4);
  roots.roots = {3, 3, 3};
  EXPECT_THROW((void)prepare_alone(roots), program::UserError);
  EXPECT_THROW((void)prepare_alone(uniform("sedov", 3, 3, 9, 100)), program::UserError);
}

// 100 volumes along the tube; the table is that of tests/unit/wave/problem/test_tubes.cpp.
TEST(Problems, SodIsTheTube) {
  ProblemRequest request = uniform("sod", 2, 2, 0, 5);
  request.roots = {20, 1};
  const auto errors = errors_of(request);
  EXPECT_NEAR(errors.at("density"), 2.45840e-2, 1e-4 * 2.45840e-2);
  EXPECT_NEAR(errors.at("velocity_x"), 4.33486e-2, 1e-4 * 4.33486e-2);
  EXPECT_NEAR(errors.at("pressure"), 2.21535e-2, 1e-4 * 2.21535e-2);
}

// First order, where waves are smooth: errors fall as the width does, towards the last of the pairs.
TEST(Problems, SmoothSolutionsConvergeWithTheFirstOrder) {
  const auto order = [](const char* name, const char* quantity, int volumes) {
    const double coarse = errors_of(uniform(name, 2, 2, 1, volumes)).at(quantity);
    const double fine = errors_of(uniform(name, 2, 2, 1, 2 * volumes)).at(quantity);
    return std::log2(coarse / fine);
  };
  EXPECT_GT(order("acoustic-wave", "pressure", 32), 0.85);
  EXPECT_GT(order("entropy-wave", "density", 32), 0.7);
  EXPECT_GT(order("advection", "quantity", 64), 0.6);
  EXPECT_GT(order("dam-break", "depth", 16), 0.6);
}

ProblemRequest second_order(ProblemRequest request) {
  request.scheme = Scheme::muscl_hancock;
  return request;
}

TEST(Problems, SmoothSolutionsConvergeWithTheSecondOrder) {
  const auto order = [](const char* name, int level, Limiter limiter) {
    ProblemRequest request = second_order(uniform(name, 2, 2, level, 8));
    request.limiter = limiter;
    const double coarse = errors_of(request).at("density");
    request.volumes *= 2;
    return std::log2(coarse / errors_of(request).at("density"));
  };
  EXPECT_GT(order("entropy-wave", 2, Limiter::none), 1.9);
  EXPECT_GT(order("vortex", 2, Limiter::none), 1.8);
  // A limiter cuts off extrema.
  EXPECT_GT(order("vortex", 2, Limiter::mc), 1.7);
}

// What a fine patch knows of a coarse one is of first order, but lies on a line: the order stays above one.
TEST(Problems, ARefinedPatchThatStandsInTheWayKeepsTheSecondOrder) {
  ProblemRequest request = second_order(uniform("vortex", 2, 2, 1, 16));
  request.max_level = 2;
  request.ball = Ball{0.7, 0.0, 0.2};
  const double coarse = errors_of(request).at("density");
  request.volumes = 32;
  EXPECT_GT(std::log2(coarse / errors_of(request).at("density")), 1.5);
}

// Towards first order, slowly: over a whole period most of the vortex is smeared.
TEST(Problems, TheVortexConvergesSlowly) {
  double before = errors_of(uniform("vortex", 2, 2, 2, 8)).at("density");
  double order_before = 0.0;
  for (const int volumes : {16, 32}) {
    const double now = errors_of(uniform("vortex", 2, 2, 2, volumes)).at("density");
    const double order = std::log2(before / now);
    EXPECT_GT(order, order_before) << volumes;
    before = now;
    order_before = order;
  }
  EXPECT_GT(order_before, 0.3);
}

TEST(Problems, APatchThatFollowsTheVortexDoesNotRaiseItsError) {
  ProblemRequest followed = uniform("vortex", 2, 3, 1, 16);
  const double coarse = errors_of(followed).at("density");
  followed.max_level = 2;
  followed.regrid_freq = 2;
  EXPECT_LT(errors_of(followed).at("density"), coarse);
  const double coarse_second = errors_of(second_order(uniform("vortex", 2, 3, 1, 16))).at("density");
  EXPECT_LT(errors_of(second_order(followed)).at("density"), coarse_second);
}

// tests/unit/wave/exec has 1,000 steps in two dimensions.
TEST(Conservation, HoldsOverAThousandStepsInThreeDimensions) {
  for (const auto limiter : kSchemes) {
    EXPECT_LT((drift<3, 2>(limiter, HangingFlux::from_fine, 1000)), 1e-13);
    EXPECT_LT((drift<3, 3>(limiter, HangingFlux::from_fine, 1000)), 1e-13);
  }
}

/// Where density is greatest along a ray from the middle, as a mean over all volumes near that maximum.
struct Front {
  double radius, peak;
};
Front front_of(const Solver& solver) {
  const std::vector<Sample> samples = solver.slice();
  Front front{0.0, 0.0};
  for (const Sample& s : samples) front.peak = std::max(front.peak, s.value);
  // The outermost place at which density has half of what it has at most above the 1 that lies ahead.
  for (const Sample& s : samples) {
    const double r = std::hypot(s.x - 0.5, s.y - 0.5);
    if (s.value > 1.0 + 0.5 * (front.peak - 1.0)) front.radius = std::max(front.radius, r);
  }
  return front;
}

// r = (E t^2 / alpha)^(1 / (dim + 2)).
void expect_sedovs_shock(int dim, double alpha, Scheme scheme, double volumes_off, double least_peak) {
  ProblemRequest request = uniform("sedov", dim, 3, dim == 2 ? 2 : 1, 18);
  request.scheme = scheme;
  const Prepared prepared = prepare_alone(request);
  const double width = 1.0 / (std::pow(3.0, request.base_level) * request.volumes);
  EXPECT_NEAR(prepared.solver->integrals().back().value, 1.0 + 1e-5 / 0.4, 1e-4);
  prepared.solver->run(*make_serial(), prepared.end, kNoLimit);
  const double expected = std::pow(prepared.end * prepared.end / alpha, 1.0 / (dim + 2.0));
  // The peak is smeared inwards over several volumes; its outer flank is the shock.
  const Front front = front_of(*prepared.solver);
  EXPECT_NEAR(front.radius, expected, volumes_off * width) << dim << " dimensions, peak " << front.peak;
  EXPECT_GT(front.peak, least_peak);
  EXPECT_LT(front.peak, 6.0);
}

TEST(Problems, SedovsShockIsWhereItHasToBe) {
  expect_sedovs_shock(2, 0.98404, Scheme::rusanov, 2.0, 1.5);
  expect_sedovs_shock(3, 0.851072, Scheme::rusanov, 2.0, 1.5);
  expect_sedovs_shock(2, 0.98404, Scheme::muscl_hancock, 1.0, 3.5);
  expect_sedovs_shock(3, 0.851072, Scheme::muscl_hancock, 1.0, 2.5);
}

// Coarse volumes do not see the energy: the mesh has to be fine before it is put there.
TEST(Problems, SedovsEnergyIsOneOnAnyMesh) {
  for (const int dim : {2, 3}) {
    for (const int ratio : {2, 3}) {
      for (const int volumes : {4, 5}) {
        ProblemRequest request = uniform("sedov", dim, ratio, 0, volumes);
        for (request.max_level = 1; request.max_level <= (dim == 2 ? 4 : 2); ++request.max_level) {
          const auto integrals = prepare_alone(request).solver->integrals();
          EXPECT_NEAR(integrals.back().value, 1.0 + 1e-5 / 0.4, 1e-4)
              << dim << " dimensions, ratio " << ratio << ", level " << request.max_level;
        }
      }
    }
  }
}

// The shock runs at a third of the speed at which gas comes in; behind it density is 4^dim, but for the
// overheated middle.
void expect_nohs_shock(int dim, Scheme scheme, double volumes_off) {
  ProblemRequest request = uniform("noh", dim, 3, dim == 2 ? 2 : 1, 18);
  request.scheme = scheme;
  const Prepared prepared = prepare_alone(request);
  const double width = 1.0 / (std::pow(3.0, request.base_level) * request.volumes);
  prepared.solver->run(*make_serial(), prepared.end, kNoLimit);
  const double ahead = std::pow(4.0, dim - 1), behind = std::pow(4.0, dim);
  double radius = 0.0;
  for (const Sample& s : prepared.solver->slice()) {
    if (s.value > 0.5 * (ahead + behind)) radius = std::max(radius, std::hypot(s.x - 0.5, s.y - 0.5));
  }
  EXPECT_NEAR(radius, prepared.end / 3.0, volumes_off * width) << dim << " dimensions";
}

TEST(Problems, NohsShockIsWhereItHasToBe) {
  for (const int dim : {2, 3}) {
    expect_nohs_shock(dim, Scheme::rusanov, 2.0);
    expect_nohs_shock(dim, Scheme::muscl_hancock, 1.0);
  }
}

}  // namespace
}  // namespace heddle::wave
