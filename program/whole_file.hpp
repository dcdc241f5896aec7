// Writing an output to where its path leads. A file is whole or not there: it is written under another name
// beside it, then renamed. A device or a pipe is written as it is, and so is what the program's own standard
// output goes to. Nothing else is replaced.
//
// Words: the *target* of a path is what stands behind all symbolic links. Names of what is not finished are
// random, and such files are made by whoever writes them alone: nobody can put a link there before.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>

#include "program/user_error.hpp"

namespace heddle::program {

inline constexpr std::string_view kUnfinished = ".part.";  // then a number
inline constexpr std::size_t kUnfinishedDigits = 16;       // hexadecimal

/// Nobody can guess them.
[[nodiscard]] inline std::uint64_t random_bits() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

/// What has that path when it is finished has this one before.
[[nodiscard]] inline std::string unfinished_name(const std::string& path, std::uint64_t number) {
  std::array<char, kUnfinishedDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016" PRIx64, number);
  return path + std::string(kUnfinished) + digits.data();
}

/// The other way round; empty for a name that is none of unfinished_name().
[[nodiscard]] inline std::string finished_name(const std::string& name) {
  const std::size_t added = kUnfinished.size() + kUnfinishedDigits;
  if (name.size() <= added || name.compare(name.size() - added, kUnfinished.size(), kUnfinished) != 0)
    return "";
  if (name.find_first_not_of("0123456789abcdef", name.size() - kUnfinishedDigits) != std::string::npos)
    return "";
  return name.substr(0, name.size() - added);
}

/// Where an output goes.
struct Target {
  std::string path;          // behind all links
  std::string problem;       // why nothing can be written there, to be said behind the path; empty: none
  bool is_in_place = false;  // it is written as it is
  int stream = -1;           // it is what this descriptor of the process has open
};

/// Where a file is.
[[nodiscard]] inline std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

namespace whole_file {

/// Whether a link was made by a user who is neither this one nor the folder's, where all may make links.
[[nodiscard]] inline bool is_strangers(const std::filesystem::path& link) {
  struct stat of_link{}, of_folder{};
  if (lstat(link.c_str(), &of_link) != 0 || stat(folder_of(link).c_str(), &of_folder) != 0) return false;
  return (of_folder.st_mode & S_IWOTH) != 0 && of_link.st_uid != geteuid() &&
         of_link.st_uid != of_folder.st_uid;
}

[[nodiscard]] inline bool are_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

[[nodiscard]] inline bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A new file, made by this call. Returns -1 where it cannot be.
[[nodiscard]] inline int make(const std::string& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

inline bool write_in_place(const Target& target, const std::string& text) {
  if (target.stream >= 0) {
    std::fflush(nullptr);  // what was printed before stays before
    return write_all(target.stream, text);
  }
  const int descriptor = open(target.path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_good = write_all(descriptor, text);
  return close(descriptor) == 0 && is_good;
}

inline bool replace(const std::string& path, const std::string& text) {
  const std::string unfinished = unfinished_name(path, random_bits());
  const int descriptor = make(unfinished);
  if (descriptor < 0) return false;
  bool is_good = write_all(descriptor, text);
  if (struct stat old{}; is_good && stat(path.c_str(), &old) == 0) {
    // It stays its owner's, where this user can give it to him.
    if (fchown(descriptor, old.st_uid, old.st_gid) != 0) errno = 0;
    is_good = fchmod(descriptor, old.st_mode & 07777) == 0;
  }
  is_good = close(descriptor) == 0 && is_good;
  is_good = is_good && std::rename(unfinished.c_str(), path.c_str()) == 0;
  const int error = errno;
  if (!is_good) std::remove(unfinished.c_str());
  errno = error;
  return is_good;
}

}  // namespace whole_file

/// Touches nothing.
[[nodiscard]] inline Target target_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as Linux
  Target target;
  std::error_code error;
  fs::path at(path);
  for (int links = 0; fs::is_symlink(fs::symlink_status(at, error)); ++links) {
    if (links == kMostLinks) target.problem = " is a link that leads nowhere; give another path";
    if (whole_file::is_strangers(at))
      target.problem = " is a link of another user in a folder that all may write; give another path";
    if (!target.problem.empty()) return target;
    const fs::path to = fs::read_symlink(at, error);
    at = to.is_absolute() ? to : at.parent_path() / to;
  }
  target.path = at.string();
  struct stat named{}, found{};
  if (stat(path.c_str(), &named) != 0) {
    if (const fs::path folder = folder_of(at); !fs::is_directory(folder, error))
      target.problem = ": there is no folder " + folder.string() + "; make it first";
    return target;
  }
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (target.stream < 0 && fstat(stream, &found) == 0 && whole_file::are_same(named, found))
      target.stream = stream;
  }
  if (target.stream >= 0) {
    target.is_in_place = true;
  } else if (S_ISDIR(named.st_mode)) {
    target.problem = " is a folder; give the name of a file";
  } else if (S_ISSOCK(named.st_mode)) {
    target.problem = " is a socket; give the name of a file";
  } else if (S_ISBLK(named.st_mode)) {
    target.problem = " is a disk; give the name of a file";
  } else if (!S_ISREG(named.st_mode) || lstat(at.c_str(), &found) != 0 ||
             !whole_file::are_same(named, found)) {
    target.is_in_place = true;  // a link in /proc may lead to what has no name
    target.path = path;
  }
  return target;
}

/// Errors: throws UserError, leaving no file that is not whole, if the text cannot be written.
inline void write_whole_file(const std::string& path, const std::string& text) {
  const Target target = target_of(path);
  if (!target.problem.empty()) throw UserError(path + target.problem);
  const bool is_good =
      target.is_in_place ? whole_file::write_in_place(target, text) : whole_file::replace(target.path, text);
  if (!is_good)
    throw UserError("cannot write " + path + ": " + std::strerror(errno) +
                    "; make room or choose another path");
}

/// Before anything is computed for it. option: which names the file, for the message.
/// Errors: throws UserError if the file could not be written. Leaves no new file behind.
inline void check_writable(const std::string& path, const std::string& option) {
  const auto refuse = [&](const std::string& problem) { throw UserError(option + " " + path + problem); };
  const Target target = target_of(path);
  if (!target.problem.empty()) refuse(target.problem);
  if (target.stream >= 0) return;
  if (access(target.path.c_str(), F_OK) == 0 && access(target.path.c_str(), W_OK) != 0)
    refuse(" cannot be overwritten; give a path that you may write");
  if (target.is_in_place) return;  // opening a pipe would wait for its reader
  // Trying is the only sure way: root, read-only and special file systems deceive access().
  const std::string probe = unfinished_name(target.path, random_bits());
  const int descriptor = whole_file::make(probe);
  if (descriptor < 0)
    refuse(std::string(" cannot be written: ") + std::strerror(errno) + "; give a path that you may write");
  close(descriptor);
  std::remove(probe.c_str());
}

}  // namespace heddle::program
