// A file that ranks write together: each its own bytes, at places that it knows by itself.
//
// Invariant: whoever writes beyond the end makes the file longer; nobody waits for anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace heddle::storage {

class SharedFile {
 public:
  SharedFile() = default;
  /// Makes the file if nobody has yet. Errors: throws UserError, as all functions here.
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

/// Gives a finished file or folder its name: what had it before is replaced. With `is_durable` the name is on
/// the disk when this returns. Errors: throws UserError.
void put_in_place(const std::string& temporary, const std::string& path, bool is_durable);

}  // namespace heddle::storage
