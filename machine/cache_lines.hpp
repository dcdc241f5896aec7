// Which processors' caches have which cache lines, and what it costs another one to get them.
//
// Words: a line is *transferred* when a processor reads a line that its cache has not, or writes one that it
// has not for itself alone. Transfers of one line come one after the other: each begins when the one before
// is done.
//
// A line's states are those of the MESI protocol: written by one (M, E: `owner`), read by several (S), in no
// cache (I). Caches are as large as need be: lines leave them only for other processors.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "description.hpp"

namespace heddle::machine {

class CacheLines {
 public:
  static constexpr std::uintptr_t kLineBytes = 64;

  explicit CacheLines(const Description& machine) : machine_(machine) {}

  struct Transfer {
    Distance distance = Distance::kOwn;
    Time until = 0;  // when the processor has the line
  };
  /// A load by `processor` at the time `now`, from the line of `address`.
  Transfer read(int processor, std::uintptr_t address, Time now);
  /// A store, or an operation that reads and writes. Afterwards no other cache has the line.
  Transfer write(int processor, std::uintptr_t address, Time now);

 private:
  static constexpr std::size_t kLinesInPage = 64;
  struct Line {
    std::bitset<kMostProcessors> readers;  // whose caches have it
    int owner = -1;                        // the only one that has it and has written it
    Time free = 0;                         // when the transfers before are done with it
  };
  using Page = std::array<Line, kLinesInPage>;

  Line& line_of(std::uintptr_t address);
  Transfer transfer(Line& line, Distance distance, Time now);

  const Description& machine_;
  std::unordered_map<std::uintptr_t, Page> pages_;
  std::uintptr_t last_number_ = 0;  // the page that was asked for last
  Page* last_page_ = nullptr;
};

}  // namespace heddle::machine
