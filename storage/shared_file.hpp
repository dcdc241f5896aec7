// A file that ranks write together: each its own bytes, at places that it knows by itself.
//
// Invariant: whoever writes beyond the end makes the file longer; nobody waits for anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "exchange/communicator.hpp"

namespace heddle::storage {

class SharedFile {
 public:
  SharedFile() = default;
  /// Makes the file if nobody has yet; a symbolic link is none. Errors: throws UserError, as all functions
  /// here.
  explicit SharedFile(std::string path);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  ~SharedFile();

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// Threads: any number at a time.
  void write(std::uint64_t at, std::span<const std::byte> bytes) const;
  /// The same with one piece after the other, on their way to the disk at once, so that flush() has less to
  /// wait for.
  void write_through(std::uint64_t at, std::span<const std::span<const std::byte>> pieces) const;
  /// Returns when what this process has written is on the disk.
  void flush() const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// program::unfinished_name() with the same number on every rank. Collective.
[[nodiscard]] std::string unfinished_name(const std::string& path, exchange::Communicator& ranks);

/// Removes what runs that were killed have left: files and folders with unfinished names whose finished ones
/// are wanted. Errors: none; what cannot be removed stays.
void remove_unfinished(const std::string& folder,
                       const std::function<bool(const std::string& finished)>& is_wanted);

/// Gives a finished file or folder its name. What had it before is replaced if it is a file or a link; a
/// folder replaces an empty one, a plotfile or a link to such. With `is_durable` the name is on the disk when
/// this returns. Errors: throws UserError.
void put_in_place(const std::string& unfinished, const std::string& path, bool is_durable);

}  // namespace heddle::storage
