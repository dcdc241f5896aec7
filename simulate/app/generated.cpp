#include "simulate/app/generated.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle::simulate {

Words split(int argc, char** argv) {
  const std::span all(argv, static_cast<std::size_t>(argc));
  const auto middle =
      std::find_if(all.begin(), all.end(), [](const char* word) { return std::string_view(word) == "--"; });
  Words words{{all.begin(), middle}, {argv[0]}};
  if (middle != all.end()) words.of_program.insert(words.of_program.end(), middle + 1, all.end());
  return words;
}

nlohmann::json tasks_of(const Workload& workload) {
  nlohmann::json result = nlohmann::json::array();
  for (const ProcessText& process : workload.processes) {
    nlohmann::json& rank = result.emplace_back(nlohmann::json::array());
    for (const TaskText* task : process.created_tasks()) {
      nlohmann::json dependences = nlohmann::json::array();
      for (const DependenceOn& on : task->dependences) {
        dependences.push_back(on.address);
        dependences.push_back(on.type);
      }
      rank.push_back({workload.kinds[static_cast<std::size_t>(task->kind)], std::move(dependences)});
    }
  }
  return result;
}

}  // namespace heddle::simulate
