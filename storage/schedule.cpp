#include "storage/schedule.hpp"

#include <fmt/core.h>

#include <array>
#include <csignal>

#include "program/command_line.hpp"

namespace heddle::storage {
namespace {

volatile std::sig_atomic_t g_wants_one = 0;
volatile std::sig_atomic_t g_wants_end = 0;

}  // namespace

void parse_frequency(const std::string& option, const std::string& text, CheckpointRequest& request) {
  const std::size_t unit = std::string("smh").find(text.empty() ? ' ' : text.back());
  request.steps = 0;
  request.seconds = 0.0;
  if (unit == std::string::npos) {
    request.steps = program::parse_number<int>(option, text);
    if (request.steps < 0) throw program::UserError(fmt::format("{} is {}; give 0 or more", option, text));
    return;
  }
  constexpr std::array kSeconds{1.0, 60.0, 3600.0};
  request.seconds = program::parse_number<double>(option, text.substr(0, text.size() - 1)) * kSeconds[unit];
  if (!(request.seconds > 0.0))
    throw program::UserError(fmt::format("{} is {}; give more than no time", option, text));
}

CheckpointSchedule::CheckpointSchedule(const CheckpointRequest& request, exchange::Communicator& ranks)
    : request_(request), ranks_(ranks) {
  if (!request_.is_asked_for()) return;
  std::signal(SIGUSR1, [](int) { g_wants_one = 1; });
  std::signal(SIGTERM, [](int) { g_wants_end = 1; });
}

CheckpointSchedule::Answer CheckpointSchedule::after(int step) {
  if (!request_.is_asked_for()) return {};
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - last_;
  const bool is_time = request_.seconds > 0.0 && ranks_.rank() == 0 && waited.count() >= request_.seconds;
  std::array<std::int64_t, 2> wants{is_time || g_wants_one != 0, g_wants_end};
  g_wants_one = 0;
  ranks_.reduce(wants, exchange::Reduction::most);
  const bool is_step = request_.steps > 0 && step % request_.steps == 0;
  return {is_step || wants[0] != 0 || wants[1] != 0, wants[1] != 0};
}

}  // namespace heddle::storage
