// What one rank may fail at fails on every rank.
#pragma once

#include <string>

#include "exchange/communicator.hpp"
#include "program/user_error.hpp"

namespace heddle::program {

/// Calls run() on each rank. Where it throws UserError on one, all ranks throw: that one with its message,
/// the others with an empty one. Collective.
template <class Run>
void fail_together(exchange::Communicator& ranks, Run&& run) {
  std::string message;
  bool has_failed = false;
  try {
    run();
  } catch (const UserError& e) {
    message = e.what();
    has_failed = true;
  }
  if (ranks.any(has_failed)) throw UserError(message);
}

}  // namespace heddle::program
