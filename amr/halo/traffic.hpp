// What one rank sent to others and received.
#pragma once

namespace heddle::amr {

struct Traffic {
  long long messages_sent = 0;
  long long messages_received = 0;
  long long bytes_sent = 0;
  long long bytes_received = 0;
  long long faces_sent = 0;
  long long faces_received = 0;

  Traffic& operator+=(const Traffic& other) {
    messages_sent += other.messages_sent;
    messages_received += other.messages_received;
    bytes_sent += other.bytes_sent;
    bytes_received += other.bytes_received;
    faces_sent += other.faces_sent;
    faces_received += other.faces_received;
    return *this;
  }
};

}  // namespace heddle::amr
