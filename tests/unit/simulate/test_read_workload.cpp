#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "made_workload.hpp"
#include "program/user_error.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {
namespace {

constexpr const char* kWhole =
    R"({"format":"heddle-workload","version":3,"program":"p","threads":2,"kinds":["region","task"],)"
    R"("processes":[{"tasks":[{"kind":1,"script":["work",10],"dependences":[0,3,4,1],"untied":true}],)"
    R"("regions":[{"kind":0,"threads":2,"fixed":false,"script":["single",0,"loop",0,"barrier",0]}],)"
    R"("loops":[{"iterations":9,"schedule":"dynamic","parts":[30]}],"singles":[["taskloop",0]],"pieces":[],)"
    R"("taskloops":[["create",0]],)"
    R"("messages":[{"kind":"send","peer":0,"channel":3,"bytes":8}],)"
    R"("main":["work",5,"region",0,"post",0,"await",0]}]})";

class ReadWorkload : public testing::Test {
 protected:
  ~ReadWorkload() override { std::remove(path_.c_str()); }
  Workload read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_workload(path_);
  }
  std::string message(const std::string& text) {
    try {
      read(text);
    } catch (const program::UserError& error) {
      return error.what();
    }
    return "";
  }
  static std::string changed(const std::string& from, const std::string& to) {
    std::string text = kWhole;
    text.replace(text.find(from), from.size(), to);
    return text;
  }

 private:
  std::string path_ = testing::TempDir() + "workload." + std::to_string(::getpid()) + ".json";
};

TEST_F(ReadWorkload, ReadsWhatIsThere) {
  const Workload workload = read(kWhole);
  EXPECT_EQ(workload.program, "p");
  ASSERT_EQ(only(workload).tasks.size(), 1U);
  EXPECT_TRUE(only(workload).tasks[0].is_untied);
  EXPECT_FALSE(only(workload).tasks[0].is_undeferred);
  ASSERT_EQ(only(workload).tasks[0].dependences.size(), 2U);
  EXPECT_EQ(only(workload).tasks[0].dependences[1].address, 4);
  EXPECT_EQ(only(workload).loops[0].schedule, Schedule::kDynamic);
  EXPECT_EQ(only(workload).main[1].op, Op::kRegion);
  EXPECT_EQ(only(workload).messages[0].kind, MessageKind::kSend);
  EXPECT_EQ(only(workload).messages[0].bytes, 8);
  EXPECT_EQ(workload.work(), 45);
}

TEST_F(ReadWorkload, SaysWhatIsWrongInOneLine) {
  using testing::HasSubstr;
  EXPECT_THAT(message("{"), HasSubstr("is no workload"));
  EXPECT_THAT(message("[]"), HasSubstr("is no workload"));
  EXPECT_THAT(message(std::string(kWhole).substr(0, 200)), HasSubstr("is no workload"));
  EXPECT_THAT(message(changed("\"version\":3", "\"version\":9")), HasSubstr("another version"));
  EXPECT_THAT(message(changed("\"work\",5", "\"play\",5")), HasSubstr("an operation 'play'"));
  EXPECT_THAT(message(changed("[\"create\",0]", "[\"create\",1]")), HasSubstr("names what is not there"));
  EXPECT_THAT(message(changed("[\"create\",0]", "[\"create\",0,\"create\",0]")),
              HasSubstr("creates a task twice"));
  EXPECT_THAT(message(changed("[\"create\",0]", "[\"work\",1]")), HasSubstr("a taskloop that does more"));
  EXPECT_THAT(message(changed("[\"taskloop\",0]", "[\"taskloop\",1]")), HasSubstr("names what is not there"));
  EXPECT_THAT(message(changed("\"work\",10", "\"work\",-1")), HasSubstr("a negative value"));
  EXPECT_THAT(message(changed("\"kind\":1", "\"kind\":2")), HasSubstr("a kind that is not there"));
  EXPECT_THAT(message(changed("\"peer\":0", "\"peer\":1")), HasSubstr("a message to or from nobody"));
  EXPECT_THAT(message(changed("\"bytes\":8", "\"bytes\":-8")), HasSubstr("a message of negative size"));
  EXPECT_THAT(message(changed("\"send\"", "\"shout\"")), HasSubstr("a message of a kind 'shout'"));
  EXPECT_THAT(message(changed("\"post\",0,", "")), HasSubstr("a message that is never posted"));
  EXPECT_THAT(message(changed("\"parts\":[30]", "\"parts\":[]")), HasSubstr("a loop without parts"));
}

}  // namespace
}  // namespace heddle::simulate
