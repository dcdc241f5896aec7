#include "suspend/work.hpp"

namespace heddle {
namespace {

constinit Work g_work{};

}  // namespace

void give_work(const Work& work) {
  g_work = work;
}

const Work& work() {
  return g_work;
}

}  // namespace heddle
