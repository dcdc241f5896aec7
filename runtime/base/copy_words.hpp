// Copying a few words, where a call would take longer than the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle {

/// bytes: of whole words of eight. Requires: the two do not overlap.
inline void copy_words(void* to, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const char*>(from) + at, sizeof word);
    std::memcpy(static_cast<char*>(to) + at, &word, sizeof word);
  }
}

}  // namespace heddle
