// What heddle-wave does by the generator, beside what the solver itself has and does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "made_workload.hpp"
#include "program/user_error.hpp"
#include "simulate/generate/wave.hpp"
#include "simulate/generate/wave_rank.hpp"
#include "wave/io/options.hpp"
#include "wave/problem/catalogue.hpp"

namespace heddle::simulate {
namespace {

wave::Settings settings(const std::string& more) {
  std::vector<std::string> words{"heddle-wave", "--max_steps", "4"};
  std::istringstream rest(more);
  for (std::string word; rest >> word;) words.push_back(word);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return wave::parse_options(static_cast<int>(arguments.size()), arguments.data()).settings;
}

// Preparing a patch takes 1000 ns, completing it 200, packing a double 1.
WaveCosts costs() {
  WaveCosts result;
  result.prepare.patch = 1000;
  result.complete.patch = 200;
  result.pack = 1;
  return result;
}

Workload workload(const std::string& options, int ranks, int threads) {
  const wave::Settings asked = settings(options);
  check_wave(asked);
  return wave_workload(asked, *wave::initial_mesh(asked.problem, ranks), ranks, threads, costs());
}

TEST(InitialMesh, IsTheOneThatTheSolverBeginsWith) {
  exchange::SerialCommunicator alone;
  for (const char* const options :
       {"--problem sedov --volumes 9", "--problem sedov --dim 3 --volumes 4 --ratio 2",
        "--problem shock-bubble --volumes 8 --scheme muscl-hancock", "--problem free-stream --volumes 4",
        "--problem acoustic-wave --volumes 8 --max_level 3", "--problem dam-break --volumes 8"}) {
    const wave::ProblemRequest problem = settings(options).problem;
    const auto solver = wave::prepare(problem, {alone, 1}).solver;
    const std::vector<int> levels = solver->patches_per_level();
    const auto mesh = wave::initial_mesh(problem, 1);
    EXPECT_EQ(mesh->patches(), std::accumulate(levels.begin(), levels.end(), 0)) << options;
    EXPECT_EQ(mesh->share_of(0).graph.patches(), mesh->patches()) << options;
    EXPECT_GT(mesh->patches(), 1) << options;
  }
}

TEST(InitialMesh, IsSharedOutWithoutLosingAny) {
  const auto mesh = wave::initial_mesh(settings("--problem sedov --volumes 9 --max_level 3").problem, 3);
  int patches = 0;
  std::size_t sent = 0, received = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const wave::InitialMesh::Share share = mesh->share_of(rank);
    patches += share.graph.patches();
    ASSERT_EQ(share.graph.messages(), static_cast<int>(share.messages.size()));
    for (const exchange::FaceMessage& message : share.messages) {
      sent += message.sent.size();
      received += static_cast<std::size_t>(message.received);
    }
  }
  EXPECT_EQ(patches, mesh->patches());
  EXPECT_EQ(sent, received);
  EXPECT_GT(sent, 0U);
}

constexpr const char* kInput = "--problem sedov --volumes 9 --max_level 3 --exec ";

TEST(GeneratedWave, ComputesEveryPatchInEveryStep) {
  const int patches = wave::initial_mesh(settings(kInput + std::string("serial")).problem, 1)->patches();
  for (const char* const scheme : {"rusanov", "muscl-hancock"}) {
    for (const char* const model :
         {"serial", "bsp", "bsp --partitions 5 --cut ill", "bsp-for", "data-flow",
          "enclave --strategy native --wait dependence", "enclave --strategy in-runtime --wait dependence"}) {
      const std::string options = kInput + std::string(model) + " --scheme " + scheme;
      for (const int threads : {1, 3}) {
        const Workload made = workload(options, 1, threads);
        EXPECT_EQ(made.work(), 4.0 * patches * 1200) << options;
        const double took = simulate(made, free_of_cost(threads)).duration;
        EXPECT_GE(took, made.work() / threads) << options;
        if (threads == 1) {
          EXPECT_EQ(took, made.work()) << options;
        }
      }
    }
  }
}

TEST(GeneratedWave, IllBalancedPartitionsCapBulkSynchronousSteps) {
  const std::string partitions = " --partitions 8 --cut ill";
  const auto speedup = [&](const std::string& model) {
    const std::string mesh = "--problem high-density-peak --volumes 3 --base_level 3 --max_level 3";
    const Workload made = workload(mesh + " --criterion fixed --exec " + model, 1, 8);
    return made.work() / simulate(made, free_of_cost(8)).duration;
  };
  // Half of the patches are one thread's.
  EXPECT_LT(speedup("bsp" + partitions), 2.1);
  EXPECT_LT(speedup("bsp-for" + partitions), 2.1);
  EXPECT_GT(speedup("enclave --strategy native --wait dependence" + partitions), 4);
  EXPECT_GT(speedup("data-flow"), 7.5);
}

TEST(GeneratedWave, RanksExchangeInEveryStep) {
  for (const char* const model :
       {"serial", "bsp", "data-flow", "enclave --strategy native --wait dependence"}) {
    const Outcome found = simulate(workload(kInput + std::string(model), 2, 1), free_of_cost(1));
    // One message each way and step; tasks and enclaves have sent the last state, too.
    const bool sends_after = std::string(model) == "data-flow" || std::string(model).starts_with("enclave");
    EXPECT_EQ(found.messages, 2U * (sends_after ? 5 : 4)) << model;
    const Outcome second =
        simulate(workload(kInput + std::string(model) + " --scheme muscl-hancock", 2, 1), free_of_cost(1));
    EXPECT_EQ(second.messages, 2U * (sends_after ? 9 : 8)) << model;
  }
}

TEST(GeneratedWave, RefusesWhatIsNotWrittenDown) {
  const auto message = [](const std::string& options) -> std::string {
    try {
      check_wave(settings(options));
    } catch (const program::UserError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(message("--exec data-flow"), "");
  EXPECT_THAT(message("--exec data-flow-graph"), HasSubstr("give data-flow"));
  EXPECT_THAT(message("--exec enclave --strategy backfill"), HasSubstr("--strategy"));
  EXPECT_THAT(message("--exec enclave --strategy native --wait poll"), HasSubstr("--wait"));
  EXPECT_THAT(message("--exec enclave --strategy native"), HasSubstr("--wait"));
  EXPECT_THAT(message("--exec bsp --problem dam-break"), HasSubstr("Euler"));
  wave::Settings endless = settings("--exec bsp");
  endless.max_steps = wave::kNoLimit;
  EXPECT_THROW(check_wave(endless), program::UserError);
}

}  // namespace
}  // namespace heddle::simulate
