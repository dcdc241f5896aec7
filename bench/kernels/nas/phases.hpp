// The phases of an iteration, and the forms in which they are executed.
//
// A kernel writes its iteration once, as iterate<Phases>(): loops whose iterations are independent, waves
// over a grid each cell of which follows the one before in its row and in its column, and single steps. Each
// ends before the next begins. What executes them is one of the classes below, which differ in nothing else:
// the pieces are the same in all, and so is the order of operations on each number, hence every bit of the
// result.
//
// A phase's body is a member function, given as a template argument. So a task's own data are the kernel's
// address and the numbers of its piece: the same in every iteration, as a taskgraph wants them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "forms.h"

namespace nas {

/// The iterations from first to below last of a loop: its piece of that number.
struct Piece {
  long first, last, number;
};

/// In how many pieces a loop of so many iterations is executed: --grain, or one for each where there are
/// fewer.
inline long pieces_of(long count) {
  return std::min(work.grain, count);
}

/// One of the pieces.
inline Piece piece_of(long number, long pieces, long count) {
  return {first_of(number, pieces, count), first_of(number + 1, pieces, count), number};
}

/// A body's call. By itself: Clang 19 crashes where it stands in a task of a template.
template <auto Body, class Kernel, class... Arguments>
void call(Kernel* kernel, Arguments... arguments) {
  (kernel->*Body)(arguments...);
}

/// Everything by the calling thread, piece after piece.
struct InTurn {
  template <auto Body, class Kernel>
  static void loop(Kernel* kernel, long count) {
    const long pieces = pieces_of(count);
    for (long p = 0; p < pieces; ++p) (kernel->*Body)(piece_of(p, pieces, count));
  }
  template <auto Body, class Kernel>
  static void wave(Kernel* kernel, long rows, long columns, const char*) {
    for (long row = 0; row < rows; ++row) {
      for (long column = 0; column < columns; ++column) (kernel->*Body)(row, column);
    }
  }
  template <auto Body, class Kernel>
  static void once(Kernel* kernel) {
    (kernel->*Body)();
  }
};

/// Worksharing loops, which all threads of the team meet. A wave is a loop for each of its diagonals.
struct Loops {
  template <auto Body, class Kernel>
  static void loop(Kernel* kernel, long count) {
    const long pieces = pieces_of(count);
#pragma omp for schedule(static)
    for (long p = 0; p < pieces; ++p) (kernel->*Body)(piece_of(p, pieces, count));
  }
  template <auto Body, class Kernel>
  static void wave(Kernel* kernel, long rows, long columns, const char*) {
    for (long diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
      const long first = std::max(0L, diagonal - rows + 1), last = std::min(columns - 1, diagonal);
#pragma omp for schedule(static)
      for (long column = first; column <= last; ++column) (kernel->*Body)(diagonal - column, column);
    }
  }
  template <auto Body, class Kernel>
  static void once(Kernel* kernel) {
#pragma omp single
    (kernel->*Body)();
  }
};

/// Tasks that one thread creates: taskloops, and tasks with dependences for waves. Between two of them it
/// waits.
struct Tasks {
  template <auto Body, class Kernel>
  static void loop(Kernel* kernel, long count) {
    // Unsigned: Clang compares it with an unsigned number of its own, and warns.
    const auto pieces = static_cast<std::uint64_t>(pieces_of(count));
#pragma omp taskloop grainsize(1)
    for (std::uint64_t p = 0; p < pieces; ++p) {
      call<Body>(kernel, piece_of(static_cast<long>(p), static_cast<long>(pieces), count));
    }
  }
  /// cells: an address for each cell of the grid, with a border in front of its rows and columns.
  template <auto Body, class Kernel>
  static void wave(Kernel* kernel, long rows, long columns, [[maybe_unused]] const char* cells) {
    for (long row = 0; row < rows; ++row) {
      for (long column = 0; column < columns; ++column) {
        [[maybe_unused]] const char* const cell = cells + (row + 1) * (columns + 1) + column + 1;
        [[maybe_unused]] const char* const above = cell - (columns + 1);
        [[maybe_unused]] const char* const before = cell - 1;
#pragma omp task depend(in : *above, *before) depend(out : *cell) firstprivate(kernel, row, column)
        call<Body>(kernel, row, column);
      }
    }
#pragma omp taskwait
  }
  // A task as well: a record holds nothing but tasks.
  template <auto Body, class Kernel>
  static void once(Kernel* kernel) {
#pragma omp task
    call<Body>(kernel);
#pragma omp taskwait
  }
};

/// Executes nothing: says how many tasks there are.
struct Counted {
  static inline long tasks = 0;
  template <auto Body, class Kernel>
  static void loop(Kernel*, long count) {
    tasks += pieces_of(count);
  }
  template <auto Body, class Kernel>
  static void wave(Kernel*, long rows, long columns, const char*) {
    tasks += rows * columns;
  }
  template <auto Body, class Kernel>
  static void once(Kernel*) {
    ++tasks;
  }
};

}  // namespace nas
