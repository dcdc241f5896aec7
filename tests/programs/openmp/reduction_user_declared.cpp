// A user-declared reduction starts its private copies by the initializer and combines each of them once.
// OpenMP 5.1, 2.21.5.7 declare reduction directive.
#include <omp.h>

#include <set>

#include "check.h"

namespace {

int constructed = 0;
int destroyed = 0;

struct Range {
  explicit Range(int scale) : scale(scale) { count(constructed); }
  Range(const Range& other) : scale(other.scale), low(other.low), high(other.high), items(other.items) {
    count(constructed);
  }
  ~Range() { count(destroyed); }
  static void count(int& counter) {
#pragma omp atomic
    counter++;
  }
  void add(int value) {
    low = value * scale < low ? value * scale : low;
    high = value * scale > high ? value * scale : high;
    items.insert(value);
  }
  void add(const Range& other) {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
    for (int item : other.items) CHECK(items.insert(item).second);
  }
  int scale;
  int low = 1 << 30;
  int high = -(1 << 30);
  std::set<int> items;
};

#pragma omp declare reduction(join:Range : omp_out.add(omp_in)) initializer(omp_priv = Range(omp_orig.scale))

}  // namespace

int main() {
  for (int round = 0; round < 20; round++) {
    {
      Range range(3);
      range.add(-1);
#pragma omp parallel for schedule(dynamic) reduction(join : range)
      for (int i = 0; i < 100; i++) {
        CHECK(range.scale == 3);
        range.add(i);
      }
      CHECK(range.low == -3 && range.high == 297 && range.items.size() == 101);
#pragma omp parallel reduction(join : range)
      range.add(1000 + omp_get_thread_num());
      CHECK(range.items.size() == 101U + static_cast<unsigned>(omp_get_max_threads()));
    }
    CHECK(constructed == destroyed);
  }
  return 0;
}
