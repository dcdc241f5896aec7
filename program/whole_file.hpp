// Writing a file so that it is either whole or not there: under a temporary name, then renamed.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
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

/// Before anything is computed for it. option: which names the file, for the message.
/// Errors: throws UserError if the file could not be written. Leaves no new file behind.
inline void check_writable(const std::string& path, const std::string& option) {
  namespace fs = std::filesystem;
  const auto refuse = [](const std::string& what) { throw UserError(what); };
  std::error_code error;
  const fs::path file(path);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    refuse(option + " " + path + ": there is no folder " + folder.string() + "; make it first");
  if (fs::is_directory(file, error)) refuse(option + " " + path + " is a folder; give the name of a file");
  if (fs::exists(file, error) && access(file.c_str(), W_OK) != 0)
    refuse(option + " " + path + " cannot be overwritten; give a path that you may write");
  // Trying is the only sure way: root, read-only and special file systems deceive access().
  const std::string temporary = temporary_name(path);
  std::FILE* probe = std::fopen(temporary.c_str(), "w");
  if (probe == nullptr) {
    refuse(option + " " + path + " cannot be written: " + std::strerror(errno) +
           "; give a path that you may write");
  }
  std::fclose(probe);
  std::remove(temporary.c_str());
}

}  // namespace heddle::program
