// Tests of rooms have the whole runtime below and above them, as programs have.
#include "report/start.hpp"

namespace {

[[gnu::constructor]] void start() {
  heddle::connect_rooms();
}

}  // namespace
