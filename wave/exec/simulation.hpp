// A simulation on one rank: the mesh, its patches, and time.
//
// Words: a *step* advances every patch by the same time, the longest that all of them allow (the last one
// ends at the time asked for). To *regrid* is to mark, balance and replace patches between two steps.
//
// Invariant: current() names the copy that holds the state; patch n is leaf n of the tree and lies in slot
// n's place of the plan.
#pragma once

#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

#include "exchange/block_store.hpp"
#include "exchange/exact_sum.hpp"
#include "exchange/transfer_plan.hpp"
#include "mesh/balance.hpp"
#include "mesh/fingerprint.hpp"
#include "program/user_error.hpp"
#include "wave/exec/engine.hpp"
#include "wave/exec/problem.hpp"
#include "wave/exec/solver.hpp"
#include "wave/patch/inherit.hpp"

namespace heddle::wave {

template <Equation E, int D, int R>
class Simulation final : public Engine, public Solver {
 public:
  using Tree = mesh::BlockTree<D, R>;

  /// Refines as the criterion asks, from the problem's own state at every level. threads: the largest team
  /// that will call advance().
  Simulation(Problem<E, D> problem, const MeshSettings<D>& settings, int threads, Criterion<D> criterion = {})
      : problem_(std::move(problem)),
        settings_(settings),
        criterion_(std::move(criterion)),
        tree_(
            mesh::Geometry<D, R>(settings.roots, settings.deepest_level,
                                 {R == 3 ? mesh::Curve::peano : mesh::Curve::morton, problem_.is_periodic})),
        patches_(settings.volumes) {
    for (int t = 0; t < threads; ++t)
      workers_.push_back(std::make_unique<Worker>(problem_.equation, patches_.shape(), settings.hanging));
    for (int n = 0; n < tree_.size(); ++n) store_.put(tree_.leaf(n).number, patches_.take());
    adopt_mesh();
    fill_initially();
    for (int level = 0; level < settings.deepest_level && regrid(); ++level) fill_initially();
    mesh_changes_ = 0;
    regrid_seconds_ = 0.0;
  }

  [[nodiscard]] int patches() const override { return part_.own(); }
  [[nodiscard]] int mesh_number() const override { return mesh_changes_; }
  [[nodiscard]] Surroundings surroundings(int patch) const override {
    Surroundings around;
    const auto p = static_cast<std::size_t>(patch);
    around.neighbours = {neighbours_.data() + first_neighbour_[p],
                         neighbours_.data() + first_neighbour_[p + 1]};
    for (const auto& face : part_.faces(patch)) {
      around.is_at_boundary |= face.kind == mesh::FaceKind::boundary;
      around.is_at_hanging_face |= face.kind == mesh::FaceKind::coarser || face.kind == mesh::FaceKind::finer;
    }
    return around;
  }

  void find_residual(int patch, const Step& step, int thread) override {
    Worker& worker = *workers_[static_cast<std::size_t>(thread)];
    const Busy busy(worker);
    const int slot = transfers_.slot(patch);
    double* const values = patches_.values(slot, step.copy);
    GivenFluxes<D> given{};
    for (int face = 0; face < mesh::kFaces<D>; ++face) {
      const auto into = transfers_.into_face(patch, face);
      given[static_cast<std::size_t>(face)] =
          worker.halo.fill(into[0], values, across(into, step.copy), problem_.boundaries[face],
                           [&](int beyond, const std::array<int, D>& volume) {
                             return problem_.outside(centre(patch, volume, beyond), step.begin);
                           });
    }
    worker.kernel.find_residual(values, patches_.values(slot, 1 - step.copy), width_of(patch), given);
  }
  double update(int patch, const Step& step, int thread) override {
    Worker& worker = *workers_[static_cast<std::size_t>(thread)];
    const Busy busy(worker);
    const int slot = transfers_.slot(patch);
    const double fastest = worker.kernel.update(
        patches_.values(slot, step.copy), patches_.values(slot, 1 - step.copy), step.length, width_of(patch));
    return longest_step(width_of(patch), fastest);
  }

  /// Steps until `end`. Returns how many; no more than `most`.
  int run(Model& model, double end, int most) override {
    const int before = steps_;
    while (time_ < end && steps_ - before < most) {
      int until_regrid = kNoLimit;
      if (settings_.regrid_every > 0) until_regrid = settings_.regrid_every - steps_ % settings_.regrid_every;
      Clock clock(time_, end, steps_, current_, std::min(most - (steps_ - before), until_regrid), limit_,
                  watch_);
      model.run(*this, clock);
      time_ = clock.time();
      current_ = clock.copy();
      steps_ = clock.steps();
      limit_ = clock.limit();
      if (clock.is_unphysical())
        throw program::UserError("the state has become unphysical in step " + std::to_string(steps_) +
                                 "; give a smaller --cfl, or less extreme states");
      if (settings_.regrid_every > 0 && steps_ % settings_.regrid_every == 0) regrid();
    }
    return steps_ - before;
  }
  /// From now on told of every step.
  void watch(Clock::Watch watch) override { watch_ = std::move(watch); }
  /// Seconds that all threads together have spent on patches.
  [[nodiscard]] double busy_seconds() const override {
    double sum = 0.0;
    for (const auto& worker : workers_) sum += worker->busy_seconds;
    return sum;
  }

  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] const Tree& tree() const { return tree_; }
  /// Of a volume of this level.
  [[nodiscard]] double width(int level) const {
    return problem_.length /
           (tree_.geometry().blocks_along(0, level) * static_cast<double>(settings_.volumes));
  }
  /// Calls visit(position of the centre, width, state) for every volume, patch by patch.
  template <class Visit>
  void for_each_state(Visit&& visit) const {
    for (int patch = 0; patch < patches(); ++patch) {
      const double dx = width_of(patch);
      const double* const values = patches_.values(transfers_.slot(patch), current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        visit(centre(patch, volume), dx, patches_.volume(values, patches_.shape().at(volume)));
      });
    }
  }

  [[nodiscard]] std::vector<Named> integrals() const override {
    std::array<exchange::ExactSum, static_cast<std::size_t>(E::kUnknowns)> sums;
    for_each_state([&](const Position<D>&, double dx, const State<E>& q) {
      for (int v = 0; v < E::kUnknowns; ++v) sums[v].add(q[v] * volume(dx));
    });
    return named(E::kNames, [&](std::size_t v) { return sums[v].value(); });
  }

  [[nodiscard]] std::vector<Named> mean_errors() const override {
    if (!problem_.exact) return {};
    const auto observed = [&](const State<E>& q) {
      if constexpr (HasPrimitive<E>) {
        return problem_.equation.primitive(q);
      } else {
        return q;
      }
    };
    State<E> sums{};
    double whole = 0.0;
    for_each_state([&](const Position<D>& x, double dx, const State<E>& q) {
      const State<E> found = observed(q), exact = observed(problem_.exact(x, time_));
      for (int v = 0; v < E::kUnknowns; ++v) sums[v] += std::abs(found[v] - exact[v]) * volume(dx);
      whole += volume(dx);
    });
    const auto error = [&](std::size_t v) { return sums[v] / whole; };
    if constexpr (HasPrimitive<E>) {
      return named(E::kPrimitiveNames, error);
    } else {
      return named(E::kNames, error);
    }
  }

  [[nodiscard]] std::vector<int> patches_per_level() const override { return tree_.leaves_per_level(); }
  [[nodiscard]] double volumes_per_patch() const override { return volume(settings_.volumes); }
  [[nodiscard]] const Engine& engine() const override { return *this; }
  [[nodiscard]] int mesh_changes() const override { return mesh_changes_; }
  [[nodiscard]] double regrid_seconds() const override { return regrid_seconds_; }
  [[nodiscard]] std::uint64_t mesh_fingerprint() const override { return mesh::fingerprint(part_); }

  [[nodiscard]] std::vector<Sample> slice() const override {
    std::vector<Sample> samples;
    const double middle =
        0.5 * problem_.length * tree_.geometry().roots()[D - 1] / tree_.geometry().roots()[0];
    for (int patch = 0; patch < patches(); ++patch) {
      const double dx = width_of(patch);
      const double* const values = patches_.values(transfers_.slot(patch), current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        const Position<D> x = centre(patch, volume);
        // The volume that contains the plane, or that lies above it.
        if (D == 3 && !(x[D - 1] - 0.5 * dx <= middle && middle < x[D - 1] + 0.5 * dx)) return;
        samples.push_back({x[0], x[1], dx, values[patches_.shape().at(volume)], part_.leaf(patch).id.level});
      });
    }
    return samples;
  }

  /// One number for mesh and state: the sum over patches of a hash of their numbers and bits, so that neither
  /// order nor partition shows (splitmix64 over the words of a patch).
  [[nodiscard]] std::uint64_t state_fingerprint() const override {
    const auto mix = [](std::uint64_t z) {
      z += 0x9E3779B97F4A7C15U;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      return z ^ (z >> 31);
    };
    std::uint64_t sum = 0;
    for (int patch = 0; patch < patches(); ++patch) {
      std::uint64_t hash = mix(static_cast<std::uint64_t>(part_.leaf(patch).number));
      const double* const values = patches_.values(transfers_.slot(patch), current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        for (const double q : patches_.volume(values, patches_.shape().at(volume))) {
          std::uint64_t word = 0;
          std::memcpy(&word, &q, sizeof word);
          hash = mix(hash ^ word);
        }
      });
      sum += hash;
    }
    return sum;
  }

 private:
  // What a thread computes with.
  struct Worker {
    Worker(const E& equation, const PatchShape<D>& shape, HangingFlux hanging)
        : halo(equation, shape, hanging), kernel(equation, shape) {}
    Halo<E, D, R> halo;
    RusanovStep<E, D> kernel;
    double busy_seconds = 0.0;
  };

  class Busy {
   public:
    explicit Busy(Worker& worker) : worker_(worker) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() {
      worker_.busy_seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

   private:
    Worker& worker_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  [[nodiscard]] typename Halo<E, D, R>::Across across(std::span<const exchange::Transfer> into,
                                                      int copy) const {
    typename Halo<E, D, R>::Across layers;
    if (into[0].op == exchange::Operator::boundary) return layers;
    for (std::size_t n = 0; n < into.size(); ++n)
      layers[n] = inner_layer<D>(patches_.shape(), patches_.values(into[n].source, copy), into[n].face ^ 1);
    return layers;
  }
  /// Of a cube.
  [[nodiscard]] static double volume(double width) {
    double volume = 1.0;
    for (int d = 0; d < D; ++d) volume *= width;
    return volume;
  }
  template <class Value>
  [[nodiscard]] static std::vector<Named> named(
      const std::array<const char*, static_cast<std::size_t>(E::kUnknowns)>& names, Value&& value) {
    std::vector<Named> list;
    for (std::size_t v = 0; v < names.size(); ++v) list.push_back({names[v], value(v)});
    return list;
  }
  [[nodiscard]] double width_of(int patch) const { return width(part_.leaf(patch).id.level); }

  [[nodiscard]] double longest_step(double dx, double fastest) const { return settings_.cfl * dx / fastest; }

  /// Of a volume; across: of the ghost beyond it, across that face.
  [[nodiscard]] Position<D> centre(int patch, const std::array<int, D>& volume, int across = -1) const {
    const auto& id = part_.leaf(patch).id;
    const double dx = width(id.level);
    Position<D> x{};
    for (int d = 0; d < D; ++d) {
      double at = static_cast<double>(id.position[d]) * settings_.volumes + volume[d] + 0.5;
      if (across / 2 == d && across >= 0) at += across % 2 == 0 ? -1.0 : 1.0;
      x[d] = at * dx;
    }
    return x;
  }

  void adopt_mesh() {
    part_ = mesh::Part<D, R>(tree_, 0);
    transfers_ = exchange::TransferPlan<D, R>(part_, store_);
    neighbours_.clear();
    first_neighbour_ = {0};
    for (int patch = 0; patch < patches(); ++patch) {
      std::set<int> around;
      for (const auto& face : part_.faces(patch))
        around.insert(face.leaf.begin(), face.leaf.begin() + face.count());
      around.erase(patch);
      neighbours_.insert(neighbours_.end(), around.begin(), around.end());
      first_neighbour_.push_back(neighbours_.size());
    }
  }

  void fill_initially() {
    for (int patch = 0; patch < patches(); ++patch) {
      double* const values = patches_.values(transfers_.slot(patch), current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        patches_.set_volume(values, patches_.shape().at(volume), problem_.initial(centre(patch, volume)));
      });
    }
    find_limit();
  }

  /// From the state.
  void find_limit() {
    limit_ = std::numeric_limits<double>::infinity();
    for (int patch = 0; patch < patches(); ++patch) {
      const double fastest =
          workers_[0]->kernel.largest_eigenvalue(patches_.values(transfers_.slot(patch), current_));
      limit_ = std::min(limit_, longest_step(width_of(patch), fastest));
    }
  }

  [[nodiscard]] double largest_jump(int patch) const {
    const double* const values = patches_.values(transfers_.slot(patch), current_);
    double largest = 0.0;
    for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
      const std::ptrdiff_t at = patches_.shape().at(volume);
      for (int d = 0; d < D; ++d) {
        if (volume[d] == 0) continue;
        const double here = values[at], below = values[at - patches_.shape().stride(d)];
        const double scale = std::abs(here) + std::abs(below);
        if (scale > 0.0) largest = std::max(largest, std::abs(here - below) / scale);
      }
    });
    return largest;
  }

  /// Returns whether the mesh has changed.
  bool regrid() {
    const auto begin = std::chrono::steady_clock::now();
    const bool has_changed = change_mesh();
    mesh_changes_ += has_changed ? 1 : 0;
    regrid_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return has_changed;
  }

  bool change_mesh() {
    mesh::Marks marks;
    for (int patch = 0; patch < patches(); ++patch) {
      const int level = part_.leaf(patch).id.level;
      const std::array<int, D> first{};
      Position<D> low = centre(patch, first), high = low;
      const double dx = width(level);
      for (int d = 0; d < D; ++d) {
        low[d] -= 0.5 * dx;
        high[d] = low[d] + dx * settings_.volumes;
      }
      mesh::Mark mark =
          criterion_ ? criterion_(low, high, level, time_, largest_jump(patch)) : mesh::Mark::stay;
      if (level < settings_.coarsest_level) mark = mesh::Mark::refine;
      if (mark == mesh::Mark::refine && level == settings_.deepest_level) mark = mesh::Mark::stay;
      if (mark == mesh::Mark::coarsen && level <= settings_.coarsest_level) mark = mesh::Mark::stay;
      marks.push_back(mark);
    }
    // Children of which one is refined itself stay.
    for (const auto& family : part_.families()) {
      if (family.all_leaves) continue;
      for (const int leaf : family.child) {
        if (leaf < 0) continue;
        mesh::Mark& mark = marks[static_cast<std::size_t>(leaf)];
        mark = std::max(mark, mesh::Mark::stay);
      }
    }
    mesh::balance(marks, part_);
    const mesh::RefinementPlan plan = mesh::plan_refinement(marks, part_);
    if (plan.is_empty()) return false;
    replace(plan);
    adopt_mesh();
    find_limit();
    return true;
  }

  void replace(const mesh::RefinementPlan& plan) {
    const auto& geometry = tree_.geometry();
    for (const int leaf : plan.splits) {
      const mesh::BlockId<D> id = tree_.id(leaf);
      const int slot = store_.take(geometry.number(id));
      for (int c = 0; c < mesh::kChildren<D, R>; ++c) {
        const int child = patches_.take();
        fill_child<E, D, R>(patches_, patches_.values(slot, current_), patches_.values(child, current_), c);
        store_.put(geometry.number(mesh::child<R>(id, c)), child);
      }
      patches_.give_back(slot);
    }
    for (const int leaf : plan.merges) {
      const mesh::BlockId<D> id = mesh::parent<R>(tree_.id(leaf));
      std::array<int, mesh::kChildren<D, R>> slots{};
      std::array<const double*, mesh::kChildren<D, R>> values{};
      for (int c = 0; c < mesh::kChildren<D, R>; ++c) {
        slots[c] = store_.take(geometry.number(mesh::child<R>(id, c)));
        values[c] = patches_.values(slots[c], current_);
      }
      const int slot = patches_.take();
      fill_parent<E, D, R>(patches_, values, patches_.values(slot, current_));
      store_.put(geometry.number(id), slot);
      for (const int child : slots) patches_.give_back(child);
    }
    tree_.apply(plan);
  }

  Problem<E, D> problem_;
  MeshSettings<D> settings_;
  Criterion<D> criterion_;
  Tree tree_;
  Patches<E, D> patches_;
  std::vector<std::unique_ptr<Worker>> workers_;
  exchange::BlockStore store_;
  mesh::Part<D, R> part_;
  exchange::TransferPlan<D, R> transfers_;
  std::vector<int> neighbours_;  // of all patches, one after the other
  std::vector<std::size_t> first_neighbour_;
  Clock::Watch watch_;
  int mesh_changes_ = 0;
  double regrid_seconds_ = 0.0;
  int current_ = 0;
  int steps_ = 0;
  double time_ = 0.0;
  double limit_ = 0.0;
};

}  // namespace heddle::wave
