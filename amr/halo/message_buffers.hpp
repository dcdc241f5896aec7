// Memory for the messages of a group of variables that tasks send and receive: it stays as long as the mesh.
//
// Words: a *section* is a piece's part of a message, for some variables. Sections of one message do not
// overlap; those of messages along different axes do where the directions *share* their memory, which then is
// one direction's at a time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "amr/halo/rank_exchange.hpp"

namespace heddle::amr {

struct BufferedMessage {
  int rank = 0;
  int tag = 0;
  std::span<const Piece> pieces;
  std::vector<std::size_t> lengths;  // of the pieces, in doubles, for one variable
  std::vector<double*> begins;       // of the pieces
  std::size_t doubles = 0;

  [[nodiscard]] std::span<double> data() const { return {begins.front(), doubles}; }

  /// Where the group's variable v is, counted from its first, in a piece.
  [[nodiscard]] double* section(std::size_t piece, int v) const {
    return begins[piece] + lengths[piece] * static_cast<std::size_t>(v);
  }
};

class MessageBuffers {
 public:
  using Plan = exchange::MessagePlan<kAxes, kRatio>;
  using Messages = std::vector<BufferedMessage>;

  /// For a group of so many variables, whose messages have `tags` tags from first_of_group on for each axis.
  /// The plan stays while this does.
  MessageBuffers(const Plan& plan, const SendRule& sending, const HaloRule& rule,
                 const std::array<int, kAxes>& cells, int variables, bool share, int first_of_group,
                 int tags) {
    SendRule limited = sending;
    if (limited.most_messages == 0 || limited.most_messages > tags) limited.most_messages = tags;
    for (int axis = 0; axis < kAxes; ++axis) {
      const int first_tag = first_of_group + axis * tags;
      sends_[axis] = made(plan.sends(axis), limited, rule, cells, variables, first_tag);
      receives_[axis] = made(plan.receives(axis), limited, rule, cells, variables, first_tag);
    }
    place(sends_, variables, share, sent_);
    place(receives_, variables, share, received_);
  }
  MessageBuffers(const MessageBuffers&) = delete;
  MessageBuffers& operator=(const MessageBuffers&) = delete;

  [[nodiscard]] const Messages& sends(int axis) const { return sends_[axis]; }
  [[nodiscard]] const Messages& receives(int axis) const { return receives_[axis]; }

 private:
  static Messages made(const std::vector<exchange::Message>& plan, const SendRule& sending,
                       const HaloRule& rule, const std::array<int, kAxes>& cells, int variables,
                       int first_tag) {
    Messages messages;
    for (const exchange::Message& all : plan) {
      int tag = first_tag;
      sending.for_each_part(all.pieces, [&](const Piece* pieces, std::size_t count) {
        BufferedMessage& message = messages.emplace_back();
        message.rank = all.rank;
        message.tag = tag++;
        message.pieces = {pieces, count};
        std::size_t doubles = 0;
        for (const Piece& piece : message.pieces) {
          message.lengths.push_back(piece_length(piece, cells, rule));
          doubles += message.lengths.back() * static_cast<std::size_t>(variables);
        }
        message.doubles = doubles;
      });
    }
    return messages;
  }

  static void place(std::array<Messages, kAxes>& directions, int variables, bool share,
                    std::vector<double>& memory) {
    std::size_t all = 0, most = 0;
    const auto doubles_of = [](const Messages& messages) {
      std::size_t doubles = 0;
      for (const BufferedMessage& message : messages) doubles += message.doubles;
      return doubles;
    };
    for (const Messages& messages : directions) {
      all += doubles_of(messages);
      most = std::max(most, doubles_of(messages));
    }
    memory.resize(share ? most : all);
    double* next = memory.data();
    for (Messages& messages : directions) {
      if (share) next = memory.data();
      for (BufferedMessage& message : messages) {
        for (const std::size_t length : message.lengths) {
          message.begins.push_back(next);
          next += length * static_cast<std::size_t>(variables);
        }
      }
    }
  }

  std::array<Messages, kAxes> sends_, receives_;
  std::vector<double> sent_, received_;
};

}  // namespace heddle::amr
