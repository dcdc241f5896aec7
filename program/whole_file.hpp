// Writing a file so that it is either whole or not there: under a temporary name, then renamed.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "program/user_error.hpp"

namespace heddle::program {

[[nodiscard]] inline std::string temporary_name(const std::string& path) {
  return path + ".part." + std::to_string(getpid());
}

/// Errors: throws UserError, leaving no partial file, if the text cannot be written.
inline void write_whole_file(const std::string& path, const std::string& text) {
  const std::string temporary = temporary_name(path);
  std::FILE* file = std::fopen(temporary.c_str(), "w");
  bool is_good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) is_good = std::fclose(file) == 0 && is_good;
  is_good = is_good && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!is_good) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw UserError("cannot write " + path + ": " + reason + "; make room or choose another path");
  }
}

}  // namespace heddle::program
