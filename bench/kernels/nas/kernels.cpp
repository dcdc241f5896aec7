// The driver's table: six of the NAS Parallel Benchmarks, each in its classes S, W and A.
#include <iterator>

#include "bt.hpp"
#include "cg.hpp"
#include "ep.hpp"
#include "ft.hpp"
#include "lu.hpp"
#include "sp.hpp"

namespace {

using namespace nas;

template <class Benchmark, char kClass>
constexpr Kernel kEntry = AsKernel<Benchmark, kClass>::entry();

}  // namespace

const char program_name[] = "nas";

const Kernel* const kernels[] = {&kEntry<Cg, 'S'>, &kEntry<Cg, 'W'>, &kEntry<Cg, 'A'>, &kEntry<Bt, 'S'>,
                                 &kEntry<Bt, 'W'>, &kEntry<Bt, 'A'>, &kEntry<Ft, 'S'>, &kEntry<Ft, 'W'>,
                                 &kEntry<Ft, 'A'>, &kEntry<Sp, 'S'>, &kEntry<Sp, 'W'>, &kEntry<Sp, 'A'>,
                                 &kEntry<Ep, 'S'>, &kEntry<Ep, 'W'>, &kEntry<Ep, 'A'>, &kEntry<Lu, 'S'>,
                                 &kEntry<Lu, 'W'>, &kEntry<Lu, 'A'>};
const int kernel_count = std::size(kernels);
