// A simulation on the patches of one rank: its mesh, and time.
//
// Words: a *step* advances every patch by the same time, the longest that all of them allow (the last one
// ends at the time asked for). To *regrid* is to mark, balance and replace patches between two steps.
//
// Invariant: current_ names the copy that holds the state; every rank has the same time, limit and tree.
// Collective: the constructor, run() and everything of Solver that is said of the whole mesh.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <string>

#include "mesh/fingerprint.hpp"
#include "program/fail_together.hpp"
#include "program/range.hpp"
#include "program/user_error.hpp"
#include "storage/checkpoint.hpp"
#include "wave/exec/diagnostics.hpp"
#include "wave/exec/engine.hpp"
#include "wave/exec/marks.hpp"
#include "wave/exec/patch_mesh.hpp"
#include "wave/exec/plot_content.hpp"
#include "wave/exec/problem.hpp"
#include "wave/exec/solver.hpp"
#include "wave/exec/stepper.hpp"

namespace heddle::wave {

template <Equation E, int D, int R>
class Simulation final : public Engine, public Solver {
 public:
  using Tree = mesh::BlockTree<D, R>;

  /// Refines as the criterion asks, from the problem's own state at every level. threads: the largest team
  /// that will execute patches. Requires: ranks outlives the simulation.
  Simulation(Problem<E, D> problem, const MeshSettings<D>& settings, int threads,
             exchange::Communicator& ranks, Criterion<D> criterion = {})
      : problem_(std::move(problem)),
        settings_(settings),
        criterion_(std::move(criterion)),
        ranks_(ranks),
        mesh_(problem_.equation, geometry_of<R>(problem_, settings), settings.volumes, problem_.length,
              settings.limiter, ranks),
        kernel_(problem_.equation, mesh_.patches().shape()) {
    for (int t = 0; t < threads; ++t)
      workers_.push_back(std::make_unique<Worker>(make_stepper<E, D, R>(problem_, mesh_, settings_)));
    draw_graph();
    fill_initially();
    for (int level = 0; level < settings.deepest_level && regrid(); ++level) fill_initially();
    mesh_changes_ = 0;
    regrid_seconds_ = 0.0;
  }

  // -- Engine

  [[nodiscard]] const PatchGraph& graph() const override { return graph_; }
  [[nodiscard]] long mesh_number() const override { return mesh_number_; }
  void prepare(int patch, const Step& step, int thread) override {
    Worker& worker = *workers_[static_cast<std::size_t>(thread)];
    const Busy busy(worker.prepare_seconds);
    worker.stepper->prepare(patch, step);
  }
  double complete(int patch, const Step& step, int thread) override {
    Worker& worker = *workers_[static_cast<std::size_t>(thread)];
    const Busy busy(worker.complete_seconds);
    return longest_step(mesh_.width(patch), worker.stepper->complete(patch, step));
  }
  [[nodiscard]] bool completing_reads_around() const override { return settings_.limiter.has_value(); }

  void start_exchange(Sent sent) override {
    mesh_.layers(sent.what).start(sent.copy, mesh_.layer_of(sent), ranks_);
  }
  void finish_exchange(Sent sent) override { mesh_.layers(sent.what).finish(ranks_); }
  double least(double limit) override {
    ranks_.reduce_doubles({&limit, 1}, exchange::Reduction::least);
    return limit;
  }
  void receive_then_fulfil(int m, int tag, Sent sent, Event event) override {
    auto& layers = mesh_.layers(sent.what);
    ranks_.receive_then_fulfil(layers.rank_of(m), tag, layers.received(m, sent.copy), event);
  }
  void send_then_fulfil(int m, int tag, Sent sent, Event event) override {
    auto& layers = mesh_.layers(sent.what);
    layers.pack(m, sent.copy, mesh_.layer_of(sent));
    ranks_.send_then_fulfil(layers.rank_of(m), tag, layers.sent(m, sent.copy), event);
  }
  void least_then_fulfil(double& limit, Event event) override {
    ranks_.least_then_fulfil({&limit, 1}, event);
  }
  [[nodiscard]] bool has_other_ranks() const override { return ranks_.size() > 1; }

  // -- Solver

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
  void watch(Clock::Watch watch) override { watch_ = std::move(watch); }

  [[nodiscard]] double time() const override { return time_; }
  [[nodiscard]] std::vector<int> patches_per_level() const override { return tree().leaves_per_level(); }
  [[nodiscard]] std::vector<int> patches_per_rank() const override {
    return tree().leaves_per_owner(ranks_.size());
  }
  [[nodiscard]] double volumes_per_patch() const override { return volume(settings_.volumes); }
  [[nodiscard]] int mesh_changes() const override { return mesh_changes_; }
  [[nodiscard]] PatchSeconds patch_seconds() const override {
    PatchSeconds sum;
    for (const auto& worker : workers_) {
      sum.prepare += worker->prepare_seconds.load(std::memory_order_relaxed);
      sum.complete += worker->complete_seconds.load(std::memory_order_relaxed);
    }
    return sum;
  }
  [[nodiscard]] double regrid_seconds() const override { return regrid_seconds_; }

  [[nodiscard]] bool is_closed() const override {
    return std::all_of(problem_.is_periodic.begin(), problem_.is_periodic.end(), [](bool is) { return is; });
  }
  [[nodiscard]] std::vector<Named> integrals() const override {
    ExactSums<kUnknowns> sums;
    for_each_state([&](const Position<D>&, double dx, const State<E>& q) {
      for (std::size_t v = 0; v < kUnknowns; ++v) sums.add(v, q[v] * volume(dx));
    });
    return named(E::kNames, sums.over(ranks_));
  }

  [[nodiscard]] std::vector<Named> mean_errors() const override {
    if (!problem_.exact) return {};
    const auto observed = []([[maybe_unused]] const E& equation, const State<E>& q) {
      if constexpr (HasPrimitive<E>) {
        return equation.primitive(q);
      } else {
        return q;
      }
    };
    ExactSums<kUnknowns + 1> sums;  // the last: of the domain's volume
    for_each_state([&](const Position<D>& x, double dx, const State<E>& q) {
      const State<E> found = observed(problem_.equation, q),
                     exact = observed(problem_.equation, problem_.exact(x, time_));
      for (std::size_t v = 0; v < kUnknowns; ++v) sums.add(v, std::abs(found[v] - exact[v]) * volume(dx));
      sums.add(kUnknowns, volume(dx));
    });
    const auto totals = sums.over(ranks_);
    State<E> errors{};
    for (std::size_t v = 0; v < kUnknowns; ++v) errors[v] = totals[v] / totals[kUnknowns];
    if constexpr (HasPrimitive<E>) {
      return named(E::kPrimitiveNames, errors);
    } else {
      return named(E::kNames, errors);
    }
  }

  [[nodiscard]] std::uint64_t state_fingerprint() const override {
    return fingerprint_of_state(mesh_, current_, ranks_);
  }
  [[nodiscard]] std::uint64_t mesh_fingerprint() const override {
    return ranks_.sum_of_bits(mesh::fingerprint(mesh_.part()));
  }

  [[nodiscard]] std::vector<Sample> slice() const override {
    std::vector<Sample> samples;
    for (int patch = 0; patch < patches(); ++patch) {
      const double dx = mesh_.width(patch);
      const auto& id = mesh_.part().leaf(patch).id;
      const int level = id.level, begin = id.position[D - 1] * settings_.volumes;
      const int along = tree().geometry().blocks_along(D - 1, level) * settings_.volumes;
      const double* const values = mesh_.values(patch, current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        // The volume that contains the plane, or that lies above it.
        if (D == 3 && begin + volume[D - 1] != along / 2) return;
        const Position<D> x = mesh_.centre(patch, volume);
        samples.push_back({x[0], x[1], dx, values[mesh_.patches().shape().at(volume)], level});
      });
    }
    return gather_list(samples, ranks_);
  }

  [[nodiscard]] std::vector<std::string> plot_names() const override { return wave::plot_names<E>(); }
  [[nodiscard]] std::string expect_plotfiles() const override {
    if (settings_.deepest_level == settings_.coarsest_level) return "";
    // Readers take the faces of finer boxes for faces of coarser cells.
    if (settings_.volumes % R != 0)
      throw program::UserError(fmt::format(
          "--plot_freq wants --volumes that the ratio {} divides, not {}; give {}, or another --ratio", R,
          settings_.volumes, (settings_.volumes / R + 1) * R));
    if (R == 2) return "";
    return "yt projects plotfiles of --ratio 2 alone; of ratio 3 it shows slices";
  }
  void write_plotfile(const std::string& path, const std::vector<std::string>& names,
                      const std::vector<int>& begins) override {
    auto content = plot_content(problem_.equation, mesh_, current_, names, classify(graph_, begins));
    content.is_periodic = problem_.is_periodic;
    content.time = time_;
    content.step = steps_;
    storage::write_plotfile(path, tree(), content, ranks_, in_parallel);
  }

  [[nodiscard]] Moment moment() const override { return {time_, limit_, steps_, mesh_changes_}; }
  void write_checkpoint(const std::string& path, storage::CheckpointHead head) override {
    const auto& geometry = tree().geometry();
    head.ratio = R;
    head.roots.assign(geometry.roots().begin(), geometry.roots().end());
    head.deepest_level = geometry.deepest_level();
    head.block_shape.assign(D + 1, settings_.volumes);
    head.block_shape.front() = E::kUnknowns;
    head.keys.assign(tree().keys().begin(), tree().keys().end());
    const std::vector<int> leaves = own_leaves();
    storage::CheckpointWriter writer(path, head, patches(), ranks_);
    in_parallel(patches(), [&](int patch) {
      writer.write(leaves[static_cast<std::size_t>(patch)], [&](storage::BlockValues& values) {
        values.room.clear();
        for_each_value(mesh_.values(patch, current_), [&](double value) { values.room.push_back(value); });
        values.pieces.emplace_back(values.room);
      });
    });
    writer.finish();
  }
  void restore(const std::string& path, const std::string& program, const Moment& moment) override {
    program::fail_together(ranks_, [&] {
      const storage::CheckpointReader file(path, program);
      std::vector<int> shape(D + 1, settings_.volumes);
      shape.front() = E::kUnknowns;
      if (file.head().block_shape != shape || !Tree::are_leaves(tree().geometry(), file.head().keys))
        throw program::UserError(path +
                                 " has a mesh that this problem does not make; give another --restart");
      mesh_.replace(file.head().keys);
      file.read(own_leaves(), in_parallel, [&](int patch, const std::vector<double>& values) {
        for_each_value(mesh_.values(patch, current_),
                       [next = values.data()](double& value) mutable { value = *next++; });
      });
    });
    draw_graph();
    time_ = moment.time;
    limit_ = moment.limit;
    steps_ = moment.steps;
    mesh_changes_ = moment.mesh_changes;
  }

  // -- For tests and benchmarks

  [[nodiscard]] int patches() const { return mesh_.part().own(); }
  [[nodiscard]] const Tree& tree() const { return mesh_.tree(); }
  /// Of a volume of this level.
  [[nodiscard]] double width(int level) const { return mesh_.width_on(level); }
  /// Calls visit(position of the centre, width, state) for every volume of this rank, patch by patch.
  template <class Visit>
  void for_each_state(Visit&& visit) const {
    for (int patch = 0; patch < patches(); ++patch) {
      const double dx = mesh_.width(patch);
      const double* const values = mesh_.values(patch, current_);
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        visit(mesh_.centre(patch, volume), dx,
              mesh_.patches().volume(values, mesh_.patches().shape().at(volume)));
      });
    }
  }

 private:
  static constexpr auto kUnknowns = static_cast<std::size_t>(E::kUnknowns);

  struct Worker {
    explicit Worker(std::unique_ptr<Stepper<E, D, R>> stepper) : stepper(std::move(stepper)) {}
    std::unique_ptr<Stepper<E, D, R>> stepper;
    // relaxed: one writer, and a progress line may read it meanwhile.
    std::atomic<double> prepare_seconds{0.0}, complete_seconds{0.0};
  };

  class Busy {
   public:
    explicit Busy(std::atomic<double>& seconds) : seconds_(seconds) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() {
      const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
      seconds_.store(seconds_.load(std::memory_order_relaxed) + spent, std::memory_order_relaxed);
    }

   private:
    std::atomic<double>& seconds_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  [[nodiscard]] static double volume(double width) {
    double volume = 1.0;
    for (int d = 0; d < D; ++d) volume *= width;
    return volume;
  }
  [[nodiscard]] double longest_step(double dx, double fastest) const { return settings_.cfl * dx / fastest; }

  [[nodiscard]] std::vector<int> own_leaves() const {
    std::vector<int> leaves;
    for (int patch = 0; patch < patches(); ++patch) leaves.push_back(mesh_.part().leaf_index(patch));
    return leaves;
  }
  /// Unknown after unknown, axis 0 fastest.
  template <class Visit>
  void for_each_value(double* values, Visit visit) const {
    const PatchShape<D>& shape = mesh_.patches().shape();
    for (int v = 0; v < E::kUnknowns; ++v) {
      for_each_volume<D>(settings_.volumes, [&](const std::array<int, D>& volume) {
        visit(values[v * shape.plane() + shape.at(volume)]);
      });
    }
  }
  static void in_parallel(int n, const std::function<void(int)>& body) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; ++i) body(i);
  }

  void draw_graph() {
    static std::atomic<long> meshes{0};
    mesh_number_ = meshes.fetch_add(1, std::memory_order_relaxed);
    graph_ = PatchGraph(mesh_.part(), mesh_.layers(Sent::What::states).messages());
  }

  void fill_initially() {
    for (int patch = 0; patch < patches(); ++patch)
      wave::fill_initially(problem_, mesh_.lattice(), mesh_.part().leaf(patch).id, mesh_.patches(),
                           mesh_.values(patch, current_));
    find_limit();
  }

  /// From the state.
  void find_limit() {
    limit_ = std::numeric_limits<double>::infinity();
    for (int patch = 0; patch < patches(); ++patch) {
      const double fastest = kernel_.largest_eigenvalue(mesh_.values(patch, current_));
      limit_ = std::min(limit_, longest_step(mesh_.width(patch), fastest));
    }
    limit_ = least(limit_);
  }

  /// Returns whether the mesh has changed.
  bool regrid() {
    const program::Range range("regrid");
    const auto begin = std::chrono::steady_clock::now();
    const MarkRule<E, D, R> rule{problem_, settings_, criterion_, mesh_.lattice()};
    mesh::Marks marks = rule.marks(mesh_.part(), time_, steps_ == 0, [&](int patch) {
      return largest_jump(mesh_.patches().shape(), mesh_.values(patch, current_));
    });
    const bool has_changed = mesh_.change(std::move(marks), current_);
    if (has_changed) {
      ++mesh_changes_;
      draw_graph();
      find_limit();
    }
    regrid_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return has_changed;
  }

  Problem<E, D> problem_;
  MeshSettings<D> settings_;
  Criterion<D> criterion_;
  exchange::Communicator& ranks_;
  PatchMesh<E, D, R> mesh_;
  PatchKernel<E, D> kernel_;
  std::vector<std::unique_ptr<Worker>> workers_;  // one a thread
  PatchGraph graph_;
  Clock::Watch watch_;
  long mesh_number_ = 0;
  int mesh_changes_ = 0;
  double regrid_seconds_ = 0.0;
  int current_ = 0;
  int steps_ = 0;
  double time_ = 0.0;
  double limit_ = 0.0;
};

}  // namespace heddle::wave
