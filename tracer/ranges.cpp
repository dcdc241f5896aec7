// The program's own ranges: what heddle_range_push() and heddle_range_pop() of heddle.h call where a trace is
// written.
#include "runtime/include/heddle.h"
#include "tracer/event_file.hpp"

extern "C" {

void heddle_range_push_(const char* name) {
  using namespace heddle::tracer;
  record(Kind::range_push, 0, 0, number_of_name(name), 0);
}

void heddle_range_pop_(void) {
  using namespace heddle::tracer;
  record(Kind::range_pop, 0, 0, 0, 0);
}
}
