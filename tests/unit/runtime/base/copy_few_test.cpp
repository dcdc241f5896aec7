#include "base/copy_few.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

TEST(CopyFew, CopiesSoManyBytesAndNoOther) {
  for (std::size_t bytes = 0; bytes <= 200; ++bytes) {
    // Of just that size, so that a sanitizer sees what reads beyond.
    std::vector<char> from(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<char>(i + 1);
    std::vector<char> to(bytes + 1, 'x');
    copy_few(to.data(), from.data(), bytes);
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(to[i], from[i]) << bytes;
    ASSERT_EQ(to[bytes], 'x') << bytes;
  }
}

}  // namespace
}  // namespace heddle
