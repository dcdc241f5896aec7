// The tasks of a taskloop with nogroup have the values that objects had when the construct was met, whatever
// becomes of the originals meanwhile. OpenMP 5.2, 12.6 taskloop construct; 5.4.4 firstprivate clause.
#include <omp.h>

#include <cstddef>

#include "check.h"

namespace {

constexpr int kRounds = 3000, kTrip = 4;

struct Bytes {
  long value;
};

struct Object {
  explicit Object(long v) : value(new long(v)) {}
  Object(const Object& other) : value(new long(*other.value)) {}
  ~Object() {
    *value = -1;
    delete value;
  }
  Object& operator=(const Object&) = delete;
  long* value;
};

int g_wrong = 0;

__attribute__((noinline)) void start(long round) {
  Bytes bytes{round};
  const Object object(round);
#pragma omp taskloop firstprivate(round, bytes, object) grainsize(1) nogroup
  for (int i = 0; i < kTrip; ++i)
    if (bytes.value != round || *object.value != round) {
#pragma omp atomic
      ++g_wrong;
    }
  bytes.value = -1;  // and the object dies
}

}  // namespace

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (long round = 0; round < kRounds; ++round) start(round);
#pragma omp taskwait
  }
  CHECK(g_wrong == 0);
  return 0;
}
