// What each request is, for reports of who waits (HEDDLE_WATCHDOG). Without the watchdog nothing is noted.
//
// Words: a *note* is made when the request is, and taken when it is bound; MPI may use a handle again, whose
// newer note counts. Requests that the program waits for by itself leave theirs: one for each handle.
#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <string>

namespace heddle::mpi {

/// Whether the process is watched: HEDDLE_WATCHDOG is a number above 0.
bool is_watched();

/// What a request does. operation: in words, "a receive" or "MPI_Barrier".
struct Operation {
  static constexpr int kNobody = MPI_PROC_NULL;

  const char* operation;
  MPI_Comm comm;
  const char* towards = "";  // "to" or "from"
  int peer = kNobody;        // in comm; kNobody: it is all of them
  int tag = 0;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

struct RequestNote {
  std::string what;
  const void* task = nullptr;  // who has bound it
  std::chrono::steady_clock::time_point since;

  /// For a report.
  [[nodiscard]] std::string in_words() const;
};

void note_watched(MPI_Request request, const Operation& operation);

/// Threads: any.
inline void note(MPI_Request request, const Operation& operation) {
  if (is_watched()) [[unlikely]]
    note_watched(request, operation);
}

/// What a request is, for the line of an error; `otherwise` where nobody watches.
inline const char* words_of(const std::unique_ptr<RequestNote>& note, const char* otherwise) {
  return note != nullptr ? note->what.c_str() : otherwise;
}

/// The note of a request that the current task binds; null where nobody watches. Threads: any.
std::unique_ptr<RequestNote> take_note(MPI_Request request);

}  // namespace heddle::mpi
