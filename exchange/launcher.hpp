// Who has started this process: the launcher of an MPI, whose processes another MPI's programs are not ranks
// of.
#pragma once

namespace heddle::exchange {

/// Whether this process is one of several that were started together, of which each is alone for MPI: all
/// would compute everything and write the same files. Says so on stderr then, once for all of them, and how
/// to start them. ranks: those of MPI_COMM_WORLD.
[[nodiscard]] bool is_one_of_copies(const char* program, int ranks);

}  // namespace heddle::exchange
