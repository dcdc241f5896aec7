#include "simulate/network/platform.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <exception>
#include <fstream>
#include <string>

#include "program/user_error.hpp"

namespace heddle::simulate {
namespace {

namespace s4u = simgrid::s4u;

bool comes_before(const s4u::Host* one, const s4u::Host* other) {
  const std::string &a = one->get_name(), &b = other->get_name();
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::unique_ptr<s4u::Engine> made_engine() {
  // What has been configured is told otherwise.
  std::vector<std::string> words{"heddle-simulate", "--log=root.thresh:critical",
                                 "--log=xbt_cfg.thresh:warning"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(words.size());
  return std::make_unique<s4u::Engine>(&count, arguments.data());
}

}  // namespace

Platform::Platform(const std::string& file) : engine_(made_engine()) {
  // A message takes the latency of its route, and its bytes at what the links have for it: no factors.
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  if (!std::ifstream(file))
    throw program::UserError(file + " cannot be read; give a platform file of SimGrid's");
  try {
    engine_->load_platform(file);
  } catch (const std::exception& error) {  // also of what SimGrid asks for numbers: std::out_of_range
    const std::string words = error.what();
    throw program::UserError(file +
                             " is no platform file of SimGrid's: " + words.substr(0, words.find('\n')));
  }
  hosts_ = engine_->get_all_hosts();
  if (hosts_.empty()) throw program::UserError(file + " describes no host");
  std::sort(hosts_.begin(), hosts_.end(), comes_before);
}

Platform::~Platform() = default;

int Platform::cores() const {
  int fewest = hosts_.front()->get_core_count();
  for (const s4u::Host* const host : hosts_) fewest = std::min(fewest, host->get_core_count());
  return fewest;
}

Platform::Route Platform::route(int from, int to) const {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  host(from)->route_to(host(to), links, &latency_s);
  return {{links.begin(), links.end()}, from_s(latency_s)};
}

}  // namespace heddle::simulate
