// A folder of a test's own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace heddle::storage {

class Scratch : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string in(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::storage
