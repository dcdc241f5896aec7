"""The benchmark set: the same programs on every OpenMP runtime, in turn, and how they compare.

Words: a *case* is a kernel of bench/tasks with its options; a *column* is a compiler's program on a runtime under some
settings; a *round* runs each case once in every column. libheddle's columns are *ours*, all others are *stock*.
"""
