// A workload as JSON: a script is a list in which each operation's name is followed by its value.

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "program/user_error.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {
namespace {

using nlohmann::json;
using program::UserError;

constexpr int kVersion = 3;

constexpr std::array<std::pair<std::string_view, Op>, 15> kOps{{
    {"work", Op::kWork},
    {"create", Op::kCreate},
    {"taskloop", Op::kTaskloop},
    {"taskwait", Op::kTaskwait},
    {"group end", Op::kGroupEnd},
    {"barrier", Op::kBarrier},
    {"pieces", Op::kPieces},
    {"single", Op::kSingle},
    {"loop", Op::kLoop},
    {"lock", Op::kLock},
    {"unlock", Op::kUnlock},
    {"region", Op::kRegion},
    {"post", Op::kPost},
    {"await", Op::kAwait},
    {"bind", Op::kBind},
}};

constexpr bool is_of_message(Op op) {
  return op == Op::kPost || op == Op::kAwait || op == Op::kBind;
}

class Reader {
 public:
  Reader(const std::string& path, const json& whole) : path_(path), whole_(whole) {}

  Workload workload() {
    Workload result;
    if (whole_.value("format", "") != "heddle-workload") fail("is no workload");
    if (whole_.value("version", 0) != kVersion) fail("has another version of the format");
    result.program = whole_.at("program").get<std::string>();
    result.threads = whole_.at("threads").get<int>();
    result.kinds = whole_.at("kinds").get<std::vector<std::string>>();
    for (const json& process : whole_.at("processes")) result.processes.push_back(process_of(process));
    if (result.processes.empty()) fail("has no process");
    for (const ProcessText& process : result.processes) check(process, result);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(path_ + " " + what + "; 'heddle simulate' makes one of a trace");
  }

  ProcessText process_of(const json& process) const {
    ProcessText result;
    for (const json& task : process.at("tasks")) result.tasks.push_back(task_of(task));
    for (const json& region : process.at("regions"))
      result.regions.push_back({region.at("kind").get<int>(), region.at("threads").get<int>(),
                                region.at("fixed").get<bool>(), script(region.at("script"))});
    for (const json& loop : process.at("loops")) result.loops.push_back(loop_of(loop));
    for (const json& one : process.at("singles")) result.scripts.push_back(script(one));
    for (const json& list : process.at("pieces")) {
      result.pieces.emplace_back();
      for (const json& one : list) result.pieces.back().push_back(script(one));
    }
    for (const json& one : process.at("taskloops")) result.taskloops.push_back(script(one));
    for (const json& message : process.at("messages"))
      result.messages.push_back({message_kind(message.at("kind").get<std::string>()),
                                 message.value("peer", 0), message.value("channel", 0),
                                 message.value("bytes", std::int64_t{0})});
    result.main = script(process.at("main"));
    return result;
  }

  MessageKind message_kind(const std::string& name) const {
    if (name == "send") return MessageKind::kSend;
    if (name == "receive") return MessageKind::kReceive;
    if (name != "collective") fail("has a message of a kind '" + name + "'");
    return MessageKind::kCollective;
  }

  TaskText task_of(const json& task) const {
    TaskText result{task.at("kind").get<int>(),
                    task.value("undeferred", false),
                    task.value("untied", false),
                    task.value("background", false),
                    {},
                    script(task.at("script"))};
    if (const auto found = task.find("dependences"); found != task.end())
      for (std::size_t i = 0; i + 1 < found->size(); i += 2)
        result.dependences.push_back({(*found)[i].get<std::int64_t>(), (*found)[i + 1].get<int>()});
    return result;
  }

  LoopText loop_of(const json& loop) const {
    LoopText result{
        loop.at("iterations").get<std::int64_t>(),
        loop.at("schedule").get<std::string>() == "dynamic" ? Schedule::kDynamic : Schedule::kStatic,
        loop.at("parts").get<std::vector<std::int64_t>>()};
    if (result.parts.empty()) fail("has a loop without parts");
    if (result.iterations < 1) fail("has a loop without iterations");
    return result;
  }

  Script script(const json& steps) const {
    if (!steps.is_array() || steps.size() % 2 != 0) fail("has a script that is no list of pairs");
    Script result;
    result.reserve(steps.size() / 2);
    for (std::size_t i = 0; i < steps.size(); i += 2) {
      const std::string& name = steps[i].get_ref<const std::string&>();
      const auto* const at =
          std::find_if(kOps.begin(), kOps.end(), [&](const auto& op) { return op.first == name; });
      if (at == kOps.end()) fail("has an operation '" + name + "'");
      result.push_back({at->second, steps[i + 1].get<std::int64_t>()});
      if (result.back().value < 0) fail("has a negative value behind '" + name + "'");
    }
    return result;
  }

  // Each task is created once, each message is posted, and what is named is there.
  void check(const ProcessText& process, const Workload& workload) const {
    std::vector<char> is_created(process.tasks.size(), 0), is_posted(process.messages.size(), 0);
    const auto look = [&](const Script& script) {
      for (const Step& step : script) {
        const auto index = static_cast<std::size_t>(step.value);
        const bool is_there = step.op == Op::kCreate     ? index < process.tasks.size()
                              : step.op == Op::kPieces   ? index < process.pieces.size()
                              : step.op == Op::kSingle   ? index < process.scripts.size()
                              : step.op == Op::kLoop     ? index < process.loops.size()
                              : step.op == Op::kRegion   ? index < process.regions.size()
                              : step.op == Op::kTaskloop ? index < process.taskloops.size()
                              : is_of_message(step.op)   ? index < process.messages.size()
                                                         : true;
        if (!is_there) fail("names what is not there");
        if (step.op == Op::kCreate && std::exchange(is_created[index], 1) != 0) fail("creates a task twice");
        if (step.op == Op::kPost) is_posted[index] = 1;
      }
    };
    look(process.main);
    for (const TaskText& task : process.tasks) look(task.script);
    for (const RegionText& region : process.regions) look(region.script);
    for (const Script& script : process.scripts) look(script);
    for (const auto& list : process.pieces)
      for (const Script& script : list) look(script);
    for (const Script& script : process.taskloops) {
      look(script);
      if (std::ranges::any_of(script, [](const Step& step) { return step.op != Op::kCreate; }))
        fail("has a taskloop that does more than create");
    }
    for (const char is_there : is_posted)
      if (is_there == 0) fail("has a message that is never posted");
    const auto has_kind = [&](int kind) {
      return kind >= 0 && static_cast<std::size_t>(kind) < workload.kinds.size();
    };
    for (const TaskText& task : process.tasks)
      if (!has_kind(task.kind)) fail("names a kind that is not there");
    for (const RegionText& region : process.regions)
      if (!has_kind(region.kind)) fail("names a kind that is not there");
    for (const MessageText& message : process.messages) {
      const auto peer = static_cast<std::size_t>(message.peer);
      if (message.peer < 0 || peer >= workload.processes.size()) fail("has a message to or from nobody");
      if (message.bytes < 0) fail("has a message of negative size");
    }
  }

  const std::string& path_;
  const json& whole_;
};

}  // namespace

Workload read_workload(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(path + " cannot be read; give a file that 'heddle simulate' has made");
  try {
    const json whole = json::parse(file);
    return Reader(path, whole).workload();
  } catch (const json::exception& error) {
    throw UserError(path + " is no workload: " + error.what());
  }
}

}  // namespace heddle::simulate
