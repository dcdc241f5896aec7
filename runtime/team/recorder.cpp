#include "team/recorder.hpp"

namespace heddle {
namespace {

constinit Recorder g_recorder{};

}  // namespace

void give_recorder(const Recorder& recorder) {
  g_recorder = recorder;
}

const Recorder& recorder() {
  return g_recorder;
}

}  // namespace heddle
