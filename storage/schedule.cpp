#include "storage/schedule.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "program/command_line.hpp"
#include "program/user_error.hpp"
#include "program/whole_file.hpp"
#include "storage/checkpoint.hpp"

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

void add_options(program::CommandLine& options, CheckpointRequest& request, const std::string& restart_help) {
  options.valued(
      "--checkpoint_freq",
      "Write a checkpoint every N steps, or so much time (30s, 10m, 1h); SIGUSR1 asks for one, SIGTERM for "
      "one "
      "and the end; 0: none",
      "N|TIME", [&request](const std::string& text) { parse_frequency("--checkpoint_freq", text, request); });
  options.valued("--checkpoint_file", fmt::format("Checkpoints' names begin so [{}]", request.prefix),
                 "PREFIX", [&request](const std::string& text) {
                   if (text.empty()) throw program::UserError("--checkpoint_file needs the begin of a name");
                   request.prefix = text;
                 });
  options.number("--keep", request.keep, "So many of the latest checkpoints stay");
  options.file("--restart", request.restart, restart_help);
}

void check(const program::CommandLine& options, const CheckpointRequest& request) {
  if (request.keep < 1) throw program::UserError(fmt::format("--keep is {}; give 1 or more", request.keep));
  for (const char* const option : {"--keep", "--checkpoint_file"})
    options.expect_effect(option, request.is_asked_for(), "--checkpoint_freq");
}

void check_output_path(const CheckpointRequest& request) {
  if (request.is_asked_for())
    program::check_writable(checkpoint_path(request.prefix, 0), "--checkpoint_file:");
}

void say_stopped(const std::string& program, const std::string& prefix, int step) {
  fmt::print(stderr, "{}: stopped by SIGTERM after step {}; --restart {} goes on\n", program, step,
             checkpoint_path(prefix, step));
}

CheckpointSchedule::CheckpointSchedule(const CheckpointRequest& request, exchange::Communicator& ranks,
                                       int step)
    : request_(request), ranks_(ranks), last_step_(step) {
  if (!request_.is_asked_for()) return;
  std::signal(SIGUSR1, [](int) { g_wants_one = 1; });
  std::signal(SIGTERM, [](int) { g_wants_end = 1; });
}

CheckpointSchedule::Answer CheckpointSchedule::after(int step) {
  if (!request_.is_asked_for()) return {};
  const auto now = std::chrono::steady_clock::now();
  const auto seconds_since = [now](auto begin) { return std::chrono::duration<double>(now - begin).count(); };
  const bool is_first_rank = ranks_.rank() == 0;
  const bool is_time = request_.seconds > 0.0 && is_first_rank && seconds_since(last_) >= request_.seconds;
  steps_ += step - std::exchange(last_step_, step);
  const double rate = std::clamp(steps_ / std::max(seconds_since(begin_), 1e-9), 1.0, 64.0);
  std::array<std::int64_t, 3> wants{is_time || g_wants_one != 0, g_wants_end,
                                    is_first_rank ? static_cast<std::int64_t>(rate) : 1};
  g_wants_one = 0;
  ranks_.reduce(wants, exchange::Reduction::most);
  const bool is_step = request_.steps > 0 && step % request_.steps == 0;
  return {is_step || wants[0] != 0 || wants[1] != 0, wants[1] != 0, static_cast<int>(wants[2])};
}

}  // namespace heddle::storage
