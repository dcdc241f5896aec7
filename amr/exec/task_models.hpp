// The variants whose phases are tasks. Each is a file of its name; tasks.hpp has what they share.
#pragma once

#include <memory>

#include "amr/exec/simulation.hpp"

namespace heddle::amr {

[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_1();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_2();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_graph();

}  // namespace heddle::amr
