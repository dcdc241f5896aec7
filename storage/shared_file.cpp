#include "storage/shared_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "program/user_error.hpp"
#include "program/whole_file.hpp"

namespace heddle::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPieces = 256;  // that the system is given at a time

[[noreturn]] void refuse(const std::string& path) {
  throw program::UserError(
      fmt::format("cannot write {}: {}; make room or choose another path", path, std::strerror(errno)));
}

}  // namespace

SharedFile::SharedFile(std::string path)
    : path_(std::move(path)),
      descriptor_(open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) refuse(path_);
}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedFile::write(std::uint64_t at, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path_);
    at += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void SharedFile::write_through(std::uint64_t at, std::span<const std::span<const std::byte>> pieces) const {
  const std::uint64_t begin = at;
  std::array<iovec, kMostPieces> vectors{};
  while (!pieces.empty()) {
    const std::size_t count = std::min(pieces.size(), vectors.size());
    std::size_t wanted = 0;
    for (std::size_t n = 0; n < count; ++n) {
      // pwritev() reads it; it has one type for reading and writing.
      vectors[n] = {const_cast<std::byte*>(pieces[n].data()), pieces[n].size()};
      wanted += pieces[n].size();
    }
    const ssize_t written =
        pwritev(descriptor_, vectors.data(), static_cast<int>(count), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path_);
    if (static_cast<std::size_t>(written) < wanted) {  // the disk is full, or a signal came: piece by piece
      for (std::size_t n = 0; n < count; at += pieces[n++].size()) write(at, pieces[n]);
    } else {
      at += wanted;
    }
    pieces = pieces.subspan(count);
  }
  // Advice: where the file system does not take it, flush() does all.
  (void)sync_file_range(descriptor_, static_cast<off_t>(begin), static_cast<off_t>(at - begin),
                        SYNC_FILE_RANGE_WRITE);
}

void SharedFile::flush() const {
  if (fsync(descriptor_) != 0) refuse(path_);
}

std::string unfinished_name(const std::string& path, exchange::Communicator& ranks) {
  const auto drawn = static_cast<std::int64_t>(program::random_bits() >> 1);
  return program::unfinished_name(path,
                                  static_cast<std::uint64_t>(ranks.most(ranks.rank() == 0 ? drawn : 0)));
}

void remove_unfinished(const std::string& folder,
                       const std::function<bool(const std::string& finished)>& is_wanted) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string finished = program::finished_name(entry.path().filename().string());
    if (!finished.empty() && is_wanted(finished)) found.push_back(entry.path());
  }
  for (const fs::path& path : found) fs::remove_all(path, error);
}

namespace {

/// Throws UserError where something has that name that is not to be replaced.
void expect_own(const std::string& path, bool by_folder) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  const bool is_own =
      by_folder
          ? !fs::is_directory(path, error) || fs::exists(path + "/Header", error) || fs::is_empty(path, error)
          : fs::is_regular_file(status) || fs::is_symlink(status) || !fs::exists(status);
  if (!is_own)
    throw program::UserError(fmt::format("{} is {}; move it away or choose another path", path,
                                         by_folder ? "a folder that is no plotfile" : "no file"));
}

}  // namespace

void put_in_place(const std::string& unfinished, const std::string& path, bool is_durable) {
  std::error_code error;
  const bool is_folder = fs::is_directory(unfinished, error);
  expect_own(path, is_folder);
  // A folder cannot be renamed onto one that holds something.
  const std::string old = unfinished + ".old";
  const bool replaces_folder = is_folder && fs::is_directory(path, error);
  if (replaces_folder && std::rename(path.c_str(), old.c_str()) != 0) refuse(path);
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    if (replaces_folder) std::rename(old.c_str(), path.c_str());
    errno = reason;
    refuse(path);
  }
  if (replaces_folder) fs::remove_all(old, error);
  if (!is_durable) return;
  const int folder = open(program::folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) refuse(path);
  const bool is_good = fsync(folder) == 0;
  close(folder);
  if (!is_good) refuse(path);
}

}  // namespace heddle::storage
