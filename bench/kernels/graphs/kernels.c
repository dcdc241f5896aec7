#include "graphs.h"

const char program_name[] = "graphs";

const Kernel* const kernels[] = {&kListing1, &kHeat,     &kHeatPipelined, &kNbody, &kAxpy,
                                 &kDotp,     &kCholesky, &kHog,           &kCg};
const int kernel_count = sizeof kernels / sizeof *kernels;
