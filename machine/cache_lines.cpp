#include "cache_lines.hpp"

#include <algorithm>

namespace heddle::machine {

CacheLines::Line& CacheLines::line_of(std::uintptr_t address) {
  const std::uintptr_t line = address / kLineBytes, page = line / kLinesInPage;
  if (last_page_ == nullptr || page != last_number_) {
    last_page_ = &pages_[page];
    last_number_ = page;
  }
  return (*last_page_)[line % kLinesInPage];
}

CacheLines::Transfer CacheLines::transfer(Line& line, Distance distance, Time now) {
  line.free = std::max(now, line.free) + machine_.access[static_cast<std::size_t>(distance)];
  return {distance, line.free};
}

CacheLines::Transfer CacheLines::read(int processor, std::uintptr_t address, Time now) {
  Line& line = line_of(address);
  const auto reader = static_cast<std::size_t>(processor);
  if (line.readers[reader]) return {Distance::kOwn, now};
  Distance nearest = Distance::kMemory;
  for (int other = 0; other < machine_.processors && nearest != Distance::kNear; ++other)
    if (line.readers[static_cast<std::size_t>(other)])
      nearest = std::min(nearest, machine_.between(processor, other));
  line.readers.set(reader);
  line.owner = -1;
  return transfer(line, nearest, now);
}

CacheLines::Transfer CacheLines::write(int processor, std::uintptr_t address, Time now) {
  Line& line = line_of(address);
  if (line.owner == processor) return {Distance::kOwn, now};
  const auto writer = static_cast<std::size_t>(processor);
  // Every other cache confirms that it has dropped the line: the farthest one's answer comes last.
  Distance farthest = Distance::kOwn;
  for (int other = 0; other < machine_.processors; ++other)
    if (line.readers[static_cast<std::size_t>(other)])
      farthest = std::max(farthest, machine_.between(processor, other));
  if (line.readers.none()) farthest = Distance::kMemory;
  line.readers.reset();
  line.readers.set(writer);
  line.owner = processor;
  return farthest == Distance::kOwn ? Transfer{Distance::kOwn, now} : transfer(line, farthest, now);
}

}  // namespace heddle::machine
