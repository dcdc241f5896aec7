// Every reduction operator gives what the sequential loop gives, from the original's value on.
// OpenMP 5.1, 2.21.5 reduction clauses.
#include <omp.h>

#include "check.h"

enum { kMost = 200 };
static int data[kMost];

int main(void) {
  for (int i = 0; i < kMost; i++) data[i] = (int)((unsigned)i * 2654435761u >> 7);
  for (int n = 0; n < kMost; n += n < 9 ? 1 : 38) {
    long sum = 5, wanted_sum = 5, less = 7, wanted_less = 7;
    unsigned product = 3, wanted_product = 3;
    int both = ~0, wanted_both = ~0, either = 0, wanted_either = 0, odd = 9, wanted_odd = 9;
    int all = 1, wanted_all = 1, any = 0, wanted_any = 0;
    int least = 1 << 30, wanted_least = 1 << 30, most = -3, wanted_most = -3;
    double halves = 0;
    signed char tiny = 1, wanted_tiny = 1;
    for (int i = 0; i < n; i++) {
      wanted_sum += data[i];
      wanted_less -= data[i];
      wanted_product *= (unsigned)data[i] | 1u;
      wanted_both &= data[i] | 1;
      wanted_either |= data[i] & 0xff0;
      wanted_odd ^= data[i];
      wanted_all = wanted_all && data[i] % 191 != 0;
      wanted_any = wanted_any || data[i] % 97 == 0;
      if (data[i] < wanted_least) wanted_least = data[i];
      if (data[i] > wanted_most) wanted_most = data[i];
      wanted_tiny = (signed char)(wanted_tiny ^ data[i]);
    }
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum, halves) reduction(- : less)  \
    reduction(* : product) reduction(& : both) reduction(| : either) reduction(^ : odd, tiny) \
    reduction(&& : all) reduction(|| : any) reduction(min : least) reduction(max : most)
    for (int i = 0; i < n; i++) {
      sum += data[i];
      less -= data[i];
      product *= (unsigned)data[i] | 1u;
      both &= data[i] | 1;
      either |= data[i] & 0xff0;
      odd ^= data[i];
      all = all && data[i] % 191 != 0;
      any = any || data[i] % 97 == 0;
      if (data[i] < least) least = data[i];
      if (data[i] > most) most = data[i];
      halves += 0.5;
      tiny = (signed char)(tiny ^ data[i]);
    }
    CHECK(sum == wanted_sum && less == wanted_less && product == wanted_product && halves == n * 0.5);
    CHECK(both == wanted_both && either == wanted_either && odd == wanted_odd && tiny == wanted_tiny);
    CHECK(!all == !wanted_all && !any == !wanted_any && least == wanted_least && most == wanted_most);
  }
  return 0;
}
