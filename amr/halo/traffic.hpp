// What one rank sent to others and received, and with how many of them it talks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "amr/field/octree.hpp"

namespace heddle::amr {

/// Wall time of the thread that talks, in seconds.
struct MessageTimes {
  double post = 0.0;  // of receives
  double pack = 0.0;
  double send = 0.0;
  double wait = 0.0;  // for the next message, and for sends to be complete
  double unpack = 0.0;

  MessageTimes& operator+=(const MessageTimes& other) {
    post += other.post;
    pack += other.pack;
    send += other.send;
    wait += other.wait;
    unpack += other.unpack;
    return *this;
  }
  [[nodiscard]] double total() const { return post + pack + send + wait + unpack; }
};

struct Traffic {
  long long messages_sent = 0;
  long long messages_received = 0;
  long long bytes_sent = 0;
  long long bytes_received = 0;
  long long faces_sent = 0;
  long long faces_received = 0;
  MessageTimes seconds;

  void count_sent(std::size_t bytes, std::size_t faces) {
    ++messages_sent;
    bytes_sent += static_cast<long long>(bytes);
    faces_sent += static_cast<long long>(faces);
  }
  void count_received(std::size_t bytes, std::size_t faces) {
    ++messages_received;
    bytes_received += static_cast<long long>(bytes);
    faces_received += static_cast<long long>(faces);
  }
  Traffic& operator+=(const Traffic& other) {
    messages_sent += other.messages_sent;
    messages_received += other.messages_received;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    faces_sent += other.faces_sent;
    faces_received += other.faces_received;
    seconds += other.seconds;
    return *this;
  }
};

/// Other ranks that a rank exchanges faces with, over the meshes that it had.
struct PartnerCounts {
  long long meshes = 0;
  long long sum = 0;
  long long least = 0;
  long long most = 0;

  void add(long long partners) {
    least = meshes == 0 ? partners : std::min(least, partners);
    most = std::max(most, partners);
    sum += partners;
    ++meshes;
  }
  [[nodiscard]] double average() const {
    return meshes > 0 ? static_cast<double>(sum) / static_cast<double>(meshes) : 0.0;
  }
};

/// Along each axis, then these.
using RankPartners = std::array<PartnerCounts, kAxes + 2>;
inline constexpr int kAllPartners = kAxes;            // those along the axes added up
inline constexpr int kDifferentPartners = kAxes + 1;  // each counted once

}  // namespace heddle::amr
