#include "sys/machine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

// A file system of its own, with what the kernel would show.
class ControlGroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "control-group-XXXXXX";
    root_ = mkdtemp(name.data());
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }

  std::string root_;
};

TEST_F(ControlGroupTest, WithoutControlGroupsNothingLimits) {
  EXPECT_EQ(processors_by_quota(root_), 0);
}

TEST_F(ControlGroupTest, TheTightestGroupOnTheWayUpCountsAndAPartOfAProcessorIsOne) {
  write("/proc/self/cgroup", "0::/user/job");
  write("/sys/fs/cgroup/user/job/cpu.max", "max 100000");
  EXPECT_EQ(processors_by_quota(root_), 0);
  write("/sys/fs/cgroup/user/cpu.max", "450000 100000");
  EXPECT_EQ(processors_by_quota(root_), 5);
  write("/sys/fs/cgroup/user/job/cpu.max", "150000 100000");
  EXPECT_EQ(processors_by_quota(root_), 2);
  write("/sys/fs/cgroup/user/job/cpu.max", "10000 100000");
  EXPECT_EQ(processors_by_quota(root_), 1);
}

TEST_F(ControlGroupTest, AContainerSeesItsOwnGroupAtTheMount) {
  write("/proc/self/cgroup", "0::/docker/0123/of/the/host");
  write("/sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(processors_by_quota(root_), 2);
}

TEST_F(ControlGroupTest, VersionOneCountsToo) {
  write("/proc/self/cgroup", "5:cpuset:/\n4:cpu,cpuacct:/job\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(processors_by_quota(root_), 0);
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000");
  EXPECT_EQ(processors_by_quota(root_), 3);
}

TEST_F(ControlGroupTest, WhatIsNoNumberLimitsNothing) {
  write("/proc/self/cgroup", "nonsense\n0::/");
  write("/sys/fs/cgroup/cpu.max", "");
  EXPECT_EQ(processors_by_quota(root_), 0);
}

}  // namespace
}  // namespace heddle
