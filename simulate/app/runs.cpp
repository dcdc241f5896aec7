#include "simulate/app/runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "program/user_error.hpp"
#include "simulate/engine/costs.hpp"
#include "simulate/engine/simulation.hpp"
#include "simulate/network/platform.hpp"
#include "simulate/network/queued_links.hpp"
#include "simulate/network/shared_links.hpp"

namespace heddle::simulate {
namespace {

using program::UserError;

std::vector<int> numbers_of(const std::string& text) {
  constexpr int kMost = 4096;  // workers of a ready set
  std::vector<int> result;
  std::istringstream list(text);
  for (std::string item; std::getline(list >> std::ws, item, ',');) {
    result.push_back(heddle::program::parse_number<int>("--cores", item));
    if (result.back() < 1 || result.back() >= kMost)
      throw UserError(fmt::format("--cores {}: give numbers from 1 to {}", item, kMost - 1));
  }
  if (result.empty()) throw UserError("--cores needs a number, or several with commas between them");
  return result;
}

// As files of costs and --runtime spell them.
constexpr std::array<std::pair<const char*, Runtime>, 3> kRuntimes{
    {{"heddle", Runtime::kHeddle}, {"gnu", Runtime::kGnu}, {"llvm", Runtime::kLlvm}}};

std::string name_of(Runtime runtime) {
  return std::ranges::find(kRuntimes, runtime, [](const auto& row) { return row.second; })->first;
}

// On how many nodes of the cluster so many processes are, with so many threads each.
int nodes_for(const RunOptions& options, int processes, int threads, const Platform& cluster) {
  const int on_one = std::max(1, cluster.cores() / threads);
  const int nodes = options.nodes != 0 ? options.nodes : (processes + on_one - 1) / on_one;
  if (nodes > processes)
    throw UserError(
        fmt::format("--nodes {}: the trace has {} processes; give as many at most", nodes, processes));
  if (nodes > cluster.nodes())
    throw UserError(fmt::format("{} nodes are needed, {} has {}", nodes, options.machine, cluster.nodes()));
  const int most = (processes + nodes - 1) / nodes;
  if (most * threads > cluster.cores())
    throw UserError(fmt::format(
        "{} processes of {} threads are on a node of {} cores; give more --nodes or fewer --cores", most,
        threads, cluster.cores()));
  return nodes;
}

nlohmann::json json_of(int cores, int nodes, const Outcome& outcome) {
  nlohmann::json result{{"cores", cores},
                        {"nodes", nodes},
                        {"duration_ns", outcome.duration},
                        {"tasks", outcome.tasks},
                        {"executed_inline", outcome.executed_inline},
                        {"stolen", outcome.stolen},
                        {"events", outcome.events},
                        {"messages", outcome.messages},
                        {"bytes", outcome.bytes},
                        {"busiest_link_ns", outcome.busiest_link}};
  for (const WorkerTimes& times : outcome.workers)
    result["workers"].push_back(
        {{"work_ns", times.work}, {"overhead_ns", times.overhead}, {"idle_ns", times.idle}});
  return result;
}

// Columns of the same length each: of tasks, of stretches, of edges, of messages.
nlohmann::json json_of(const Timeline& timeline) {
  nlohmann::json result;
  const auto column = [&result](const char* name, const auto& rows, auto member) {
    nlohmann::json::array_t values;
    values.reserve(rows.size());
    for (const auto& row : rows) values.emplace_back(row.*member);
    result[name] = std::move(values);
  };
  column("task_process", timeline.tasks, &Timeline::TaskNote::process);
  column("task_kind", timeline.tasks, &Timeline::TaskNote::kind);
  column("task_worker", timeline.tasks, &Timeline::TaskNote::worker);
  column("task_creator", timeline.tasks, &Timeline::TaskNote::creator);
  column("task_created", timeline.tasks, &Timeline::TaskNote::created);
  column("process", timeline.stretches, &Timeline::Stretch::process);
  column("worker", timeline.stretches, &Timeline::Stretch::worker);
  column("task", timeline.stretches, &Timeline::Stretch::task);
  column("is_of_runtime", timeline.stretches, &Timeline::Stretch::is_of_runtime);
  column("begin", timeline.stretches, &Timeline::Stretch::begin);
  column("end", timeline.stretches, &Timeline::Stretch::end);
  column("source", timeline.edges, &Timeline::Edge::source);
  column("sink", timeline.edges, &Timeline::Edge::sink);
  column("source_process", timeline.messages, &Timeline::Message::source_process);
  column("source_worker", timeline.messages, &Timeline::Message::source_worker);
  column("sink_process", timeline.messages, &Timeline::Message::sink_process);
  column("sink_worker", timeline.messages, &Timeline::Message::sink_worker);
  column("sent", timeline.messages, &Timeline::Message::sent);
  column("posted", timeline.messages, &Timeline::Message::posted);
  column("received", timeline.messages, &Timeline::Message::received);
  column("bytes", timeline.messages, &Timeline::Message::bytes);
  return result;
}

}  // namespace

void add_run_options(program::CommandLine& line, RunOptions& options) {
  line.file("--costs", options.costs, "What the runtime's own work takes; 'heddle calibrate' writes them");
  line.file("--machine", options.machine,
            "A cluster, as a platform file of SimGrid's; without, all processes are on one node");
  line.choice<bool, 2>(
      "--network", options.queues_on_links, {{{"shared", false}, {"queued", true}}},
      "How messages use its links: shared (SimGrid's flows) or queued (one after another; for thousands "
      "of cores)",
      "HOW");
  line.valued("--nodes",
              "How many of its nodes, in blocks of processes [as few as have a core for each thread]", "N",
              [&](const std::string& text) {
                options.nodes = heddle::program::parse_number<int>("--nodes", text);
                if (options.nodes < 1) throw UserError("--nodes " + text + ": give a number from 1");
              });
  line.valued("--cores", "Threads of each process, one on each core; several with commas between them [1]",
              "N,…", [&](const std::string& text) { options.cores = numbers_of(text); });
  line.valued("--sockets",
              "Sockets of a node, each of as many of its cores, with memory of its own; data lies where the "
              "thread is that is the first to work on it [1]",
              "N", [&](const std::string& text) {
                options.sockets = heddle::program::parse_number<int>("--sockets", text);
                if (options.sockets < 1) throw UserError("--sockets " + text + ": give a number from 1");
              });
  line.valued("--remote", "How many times as long work takes whose data is on another socket [1.5]", "X",
              [&](const std::string& text) {
                options.remote = heddle::program::parse_number<double>("--remote", text);
                if (!(options.remote >= 1 && options.remote <= 100))
                  throw UserError("--remote " + text + ": give a number from 1 to 100");
              });
  line.choice("--runtime", options.runtime, kRuntimes,
              "Whose rules and costs: heddle, gnu (libgomp) or llvm (libomp)");
  line.flag("--timeline", options.has_timeline, "Say what each thread does when, and for which task");
}

int answer(const char* program, const std::function<Answer()>& run) {
  try {
    const Answer found = run();
    if (const auto* const text = std::get_if<std::string>(&found))
      fmt::print("{}", *text);
    else
      fmt::print("{}\n", std::get<nlohmann::json>(found).dump());
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const UserError& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 2;
  }
}

void check_run_options(const RunOptions& options) {
  if (options.nodes > 1 && options.machine.empty())
    throw UserError("--nodes needs the network between them; give --machine");
  if (options.costs.empty()) throw UserError("--costs is missing; 'heddle calibrate' measures them");
}

nlohmann::json simulated(const WorkloadOf& workload_of, const RunOptions& options) {
  Setting setting;
  setting.has_timeline = options.has_timeline;
  setting.runtime = options.runtime;
  setting.costs = read_costs(options.costs, name_of(options.runtime));
  std::optional<Platform> cluster;
  std::unique_ptr<Network> network;
  if (!options.machine.empty()) {
    cluster.emplace(options.machine);
    if (options.queues_on_links)
      network = std::make_unique<QueuedLinks>(*cluster);
    else
      network = std::make_unique<SharedLinks>(*cluster);
    setting.network = network.get();
    setting.cores = cluster->cores();
  }
  setting.sockets = options.sockets;
  setting.remote = options.remote;
  nlohmann::json result;
  for (const int cores : options.cores) {
    const Workload& workload = workload_of(cores);
    const int processes = static_cast<int>(workload.processes.size());
    result["program"] = workload.program;
    result["processes"] = processes;
    result["work_ns"] = workload.work();
    if (options.has_timeline) result["kinds"] = workload.kinds;
    setting.workers = cores;
    if (cluster) setting.nodes = nodes_for(options, processes, cores, *cluster);
    const Outcome outcome = simulate(workload, setting);
    result["runs"].push_back(json_of(cores, setting.nodes, outcome));
    if (options.has_timeline) result["runs"].back()["timeline"] = json_of(outcome.timeline);
  }
  return result;
}

nlohmann::json simulated(const Workload& workload, const RunOptions& options) {
  return simulated([&](int) -> const Workload& { return workload; }, options);
}

}  // namespace heddle::simulate
