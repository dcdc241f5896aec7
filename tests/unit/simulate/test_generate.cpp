// What heddle-amr does by the generator, beside what the program itself has said of the same input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "amr/io/options.hpp"
#include "made_workload.hpp"
#include "program/user_error.hpp"
#include "simulate/generate/amr.hpp"

namespace heddle::simulate {
namespace {

amr::Settings settings(const std::string& variant, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"heddle-amr", "--num_tsteps", "4", "--stages_per_ts", "10", "--npx", "2"};
  for (const char* const word : {"--init_y", "2", "--init_z", "2", "--nx", "12", "--ny", "12", "--nz", "12"})
    words.emplace_back(word);
  for (const char* const word : {"--num_vars",
                                 "20",
                                 "--num_refine",
                                 "2",
                                 "--num_objects",
                                 "1",
                                 "--object",
                                 "2",
                                 "0",
                                 "0.5",
                                 "0.5",
                                 "0.5",
                                 "0.02",
                                 "0.02",
                                 "0.02",
                                 "0.2",
                                 "0.2",
                                 "0.2",
                                 "0",
                                 "0",
                                 "0",
                                 "--variant"})
    words.emplace_back(word);
  words.push_back(variant);
  words.insert(words.end(), more.begin(), more.end());
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return amr::parse_options(static_cast<int>(arguments.size()), arguments.data(), amr_variants(), 2).settings;
}

AmrCosts of_one_ns() {
  AmrCosts result;
  result.ns_a_piece.fill(1);
  return result;
}

constexpr double kCells = 12 * 12 * 12, kVariables = 20, kBlocks = 120, kStages = 40, kChecks = 8;

TEST(GeneratedAmr, HasTheMeshAndTheMessagesOfTheProgram) {
  for (const char* const variant : {"serial", "loop", "data-flow", "reference"}) {
    EXPECT_EQ(AmrMeshes(settings(variant)).initial().after.size(), kBlocks);
    const AmrWorkload made = amr_workload(settings(variant), of_one_ns());
    for (const int threads : {1, 3}) {
      const Outcome found = simulate(made.workload, free_of_cost(threads));
      EXPECT_EQ(found.messages, 80U) << variant;
      EXPECT_EQ(found.bytes, 51'609'600U) << variant;
    }
  }
}

TEST(GeneratedAmr, DoesTheSameWorkInEveryVariant) {
  const auto amounts = [](const char* variant) {
    return amr_workload(settings(variant), of_one_ns()).amounts;
  };
  AmrAmounts serial = amounts("serial");
  EXPECT_EQ(serial[static_cast<int>(AmrWork::kStencil)], kStages * kBlocks * kCells * kVariables);
  EXPECT_EQ(serial[static_cast<int>(AmrWork::kSums)], kChecks * kBlocks * kCells * kVariables);
  EXPECT_EQ(serial[static_cast<int>(AmrWork::kPack)], serial[static_cast<int>(AmrWork::kUnpack)]);
  EXPECT_EQ(amounts("loop"), serial);
  AmrAmounts reference = amounts("reference");
  EXPECT_GT(std::exchange(reference[static_cast<int>(AmrWork::kExchange)], 0), 0);
  EXPECT_EQ(reference, serial);
  serial[static_cast<int>(AmrWork::kPost)] = 0;  // tasks' messages keep their memory
  EXPECT_EQ(amounts("data-flow"), serial);
}

TEST(GeneratedAmr, RepeatsItsStages) {
  AmrCosts stencils;
  stencils.ns_a_piece[static_cast<int>(AmrWork::kStencil)] = 1;
  for (const char* const variant : {"serial", "loop", "data-flow"}) {
    const AmrWorkload made = amr_workload(settings(variant), stencils);
    EXPECT_NEAR(made.workload.work(), kStages * kBlocks * kCells * kVariables, 1) << variant;
    // The busier rank has 61 blocks, and waits for nobody.
    EXPECT_GE(simulate(made.workload, free_of_cost(1)).duration, kStages * kBlocks / 2 * kCells * kVariables);
  }
}

TEST(GeneratedAmr, CountsTheTasksOfDataFlow) {
  // A stage of 120 blocks in one chunk of variables: a stencil each; 28 faces of either rank
  // are packed and unpacked; one message each way, and two turns for each of three axes and rank.
  constexpr std::uint64_t kStage = 120 + 2 * 2 * 28 + 2 * 2 + 2 * 2 * 3;
  // A check sums up each block, reduces on each rank, and waits there for the one before.
  constexpr std::uint64_t kCheck = 120 + 2 + 2;
  const AmrWorkload made = amr_workload(settings("data-flow", {"--task_vars", "20"}), of_one_ns());
  EXPECT_EQ(simulate(made.workload, free_of_cost(2)).tasks, 40 * kStage + 8 * kCheck);
}

TEST(GeneratedAmr, RefusesWhatIsNotWrittenDown) {
  const auto message = [](const char* variant, std::vector<std::string> more) -> std::string {
    try {
      amr_workload(settings(variant, std::move(more)), of_one_ns());
    } catch (const program::UserError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message("serial", {"--stencil", "27"}), HasSubstr("--stencil"));
  EXPECT_THAT(message("serial", {"--comm_vars", "5"}), HasSubstr("--comm_vars"));
  EXPECT_THAT(message("serial", {"--code", "1"}), HasSubstr("--code"));
  EXPECT_THAT(message("task-2", {}), HasSubstr("task-2"));
}

}  // namespace
}  // namespace heddle::simulate
