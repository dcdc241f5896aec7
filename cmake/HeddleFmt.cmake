# fmt_library: what programs link that print. Header-only with Clang 19, which mangles some of libfmt's C++20 symbols
# differently from the GCC that built Debian's.
find_package(fmt REQUIRED)
set(fmt_library fmt::fmt)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(fmt_library fmt::fmt-header-only)
  # Clang 20 and later hold libfmt 10's compile-time checks of its own formats for no constant expressions (Debian 13).
  if(fmt_VERSION VERSION_LESS 11 AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 20)
    if(NOT TARGET heddle_fmt)
      add_library(heddle_fmt INTERFACE)
      target_link_libraries(heddle_fmt INTERFACE fmt::fmt-header-only)
      target_compile_definitions(heddle_fmt INTERFACE FMT_CONSTEVAL=)
    endif()
    set(fmt_library heddle_fmt)
  endif()
endif()
