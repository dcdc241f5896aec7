// An array of plain values that grows where it is: the system moves large ones by their pages, so that
// nothing is copied and no memory is touched that nobody uses.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace heddle {

template <class T>
class PlainArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  PlainArray() = default;
  ~PlainArray() { std::free(items_); }
  PlainArray(const PlainArray&) = delete;
  PlainArray& operator=(const PlainArray&) = delete;

  /// Errors: std::bad_alloc. Ensures: addresses of others are good only until the next call.
  T& push_back(const T& item) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    return *new (&items_[size_++]) T(item);
  }

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T* data() const { return items_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

 private:
  void grow() {
    const std::size_t capacity = capacity_ == 0 ? 64 : 2 * capacity_;
    void* const larger = std::realloc(static_cast<void*>(items_), capacity * sizeof(T));
    if (larger == nullptr) throw std::bad_alloc();
    items_ = static_cast<T*>(larger);
    capacity_ = capacity;
  }

  T* items_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace heddle
