# fmt_library: what programs link that print. Header-only with Clang 19, which mangles some of libfmt's C++20 symbols
# differently from the GCC that built Debian's.
find_package(fmt REQUIRED)
set(fmt_library fmt::fmt)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(fmt_library fmt::fmt-header-only)
endif()
