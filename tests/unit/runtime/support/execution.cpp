#include "support/execution.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "support/named_orders.hpp"

namespace heddle::test {

std::string described(const Event& event) {
  std::ostringstream out;
  std::string file = event.where.file_name();
  out << 'T' << event.id.thread << '.' << event.id.index << ' ';
  if (event.what == What::kFence) {
    out << (event.fence == Operation::Fence::kLight   ? "light fence"
            : event.fence == Operation::Fence::kHeavy ? "heavy fence"
                                                      : "fence");
  } else {
    out << (event.ends_location          ? "end"
            : event.what == What::kWrite ? "write"
            : event.waits                ? "wait"
                                         : "read")
        << " x" << event.location << (event.what == What::kWrite ? " := " : " = ") << event.value;
  }
  out << ' ' << (event.is_plain ? "plain" : name_of(event.order));
  if (event.what == What::kRead) {
    if (event.from.thread == kNobody)
      out << " from the start";
    else
      out << " from T" << event.from.thread << '.' << event.from.index;
  }
  out << "  " << file.substr(file.rfind('/') + 1) << ':' << event.where.line();
  return out.str();
}

// The events of the execution, each after what it reads; and each location's modification order.
std::string table(const Graph& graph) {
  std::ostringstream out;
  std::vector<std::size_t> shown(graph.threads.size(), 0);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t t = 0; t < shown.size(); ++t)
      while (shown[t] < graph.threads[t].size()) {
        const Event& event = graph.threads[t][shown[t]];
        if (event.what == What::kRead && event.from.thread != kNobody &&
            shown[static_cast<std::size_t>(event.from.thread)] <= static_cast<std::size_t>(event.from.index))
          break;
        out << std::string(4 * t, ' ') << described(event) << '\n';
        ++shown[t];
        goes_on = true;
      }
  }
  for (std::size_t i = 0; i < graph.locations.size(); ++i) {
    if (graph.locations[i].writes.size() < 2) continue;
    out << 'x' << i << ':';
    for (const Id id : graph.locations[i].writes) out << ' ' << graph.value_of(id);
    out << '\n';
  }
  return out.str();
}

}  // namespace heddle::test
