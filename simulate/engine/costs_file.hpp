// A file of costs, as 'heddle calibrate' writes it: JSON, an object for each part.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "program/user_error.hpp"

namespace heddle::simulate {

/// Returns read(the whole file). whose: for the message. Errors: throws UserError where the file cannot be
/// read, or read() misses something in it.
template <class Read>
auto from_costs(const std::string& path, const std::string& whose, Read&& read) {
  std::ifstream file(path);
  if (!file) throw program::UserError(path + " cannot be read; 'heddle calibrate' writes one");
  try {
    return read(nlohmann::json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    throw program::UserError(path + " holds no costs of " + whose +
                             "; 'heddle calibrate' writes them: " + error.what());
  }
}

}  // namespace heddle::simulate
