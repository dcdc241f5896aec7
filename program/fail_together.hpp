// What one rank may fail at fails on every rank.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "program/user_error.hpp"

namespace heddle::program {

/// Calls run() on each rank. Where it throws UserError on some, all ranks throw the first one's. Collective.
template <class Run>
void fail_together(exchange::Communicator& ranks, Run&& run) {
  std::vector<int> message;  // and a line end
  try {
    run();
  } catch (const UserError& e) {
    const std::string what = e.what();
    message.assign(what.begin(), what.end());
    message.push_back('\n');
  }
  if (!ranks.any(!message.empty())) return;
  const std::vector<int> all = ranks.gather(message);
  throw UserError(std::string(all.begin(), std::find(all.begin(), all.end(), '\n')));
}

}  // namespace heddle::program
