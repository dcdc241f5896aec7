// A NAS benchmark as a kernel of the driver in bench/kernels/forms.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "phases.hpp"

namespace nas {

/// A benchmark in one of its classes.
struct Problem {
  const char* name;     // as NAS names the program
  const char* meaning;  // a line of --list
  long size;            // as the benchmark says
  long iterations;      // after which NAS publishes what the result must be
};

/// The driver's functions for a benchmark in one of the classes S, W and A. It has
///
///   static constexpr double kTolerance;                               // relative, of what is published
///   static constexpr bool kIterationsAreAlike;                        // the result holds after any number
///   of them static constexpr Problem problem(char problem_class); static std::vector<double> published(char
///   problem_class);         // by the NAS Parallel Benchmarks explicit Benchmark(char problem_class); void
///   reset();                                                     // before a row of iterations template
///   <class Phases> void iterate(); std::vector<double> result();                                     //
///   after it: as published void spoil();                                                     // falsifies it
///
/// After the published number of iterations the result is compared with what is published, else with that of
/// as many iterations in turn, to the last bit.
template <class Benchmark, char kClass>
struct AsKernel {
  static inline std::unique_ptr<Benchmark> benchmark;
  static inline std::vector<double> in_turn;

  static bool is_published() {
    return Benchmark::kIterationsAreAlike || Benchmark::problem(kClass).iterations == work.iterations;
  }

  static void prepare() {
    benchmark = std::make_unique<Benchmark>(kClass);
    Counted::tasks = 0;
    benchmark->template iterate<Counted>();
    work.tasks = Counted::tasks;
    if (is_published()) return;
    benchmark->reset();
    for (long i = 0; i < work.iterations; ++i) benchmark->template iterate<InTurn>();
    in_turn = benchmark->result();
  }

  static void reset() { benchmark->reset(); }
  static void create() { benchmark->template iterate<Tasks>(); }
  static void share() { benchmark->template iterate<Loops>(); }

  static bool verify() {
    const std::vector<double> result = benchmark->result();
    if (!is_published()) return result == in_turn;
    const std::vector<double> published = Benchmark::published(kClass);
    if (result.size() != published.size()) return false;
    for (std::size_t i = 0; i < result.size(); ++i) {
      // Written so that a result that is no number fails.
      if (!(std::abs(result[i] - published[i]) <= Benchmark::kTolerance * std::abs(published[i])))
        return false;
    }
    return true;
  }

  static void spoil() { benchmark->spoil(); }
  static void finish() { benchmark.reset(); }

  /// Its entry in the driver's table.
  static constexpr Kernel entry() {
    constexpr Problem kProblem = Benchmark::problem(kClass);
    Kernel kernel{};
    kernel.name = kProblem.name;
    kernel.meaning = kProblem.meaning;
    kernel.size = kProblem.size;
    kernel.has_fixed_size = true;
    kernel.grain = 64;
    kernel.iterations = kProblem.iterations;
    kernel.prepare = prepare;
    kernel.reset = reset;
    kernel.create = create;
    kernel.share = share;
    kernel.verify = verify;
    kernel.spoil = spoil;
    kernel.finish = finish;
    return kernel;
  }
};

}  // namespace nas
