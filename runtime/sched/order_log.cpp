#include "sched/order_log.hpp"

#include "sys/fatal.hpp"

namespace heddle {

OrderLog::OrderLog(const std::string& file) : file_(std::fopen(file.c_str(), "we")) {
  if (file_ == nullptr) {
    warn("HEDDLE_ORDER_LOG='%s' cannot be written; there will be no log", file.c_str());
    return;
  }
  std::fputs("heddle order 1\n", file_);
  std::fflush(file_);
}

OrderLog::~OrderLog() {
  if (file_ != nullptr) std::fclose(file_);
}

void OrderLog::starts(const std::string& item, const void* code, int thread, bool is_at_creation) {
  if (file_ == nullptr) return;
  const int number = codes_.of(code, file_);
  std::fprintf(file_, "s %s %d %d%s\n", item.c_str(), number, thread, is_at_creation ? " !" : "");
  std::fflush(file_);
}

void OrderLog::starts_undeferred(const std::string& name, const void* code, int thread) {
  if (file_ == nullptr) return;
  const int number = codes_.of(code, file_);
  std::fprintf(file_, "u %s %d %d\n", name.c_str(), number, thread);
  std::fflush(file_);
}

void OrderLog::goes_on(const std::string& item, int thread, const std::string& created) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "g %s %d%s%s\n", item.c_str(), thread, created.empty() ? "" : " ", created.c_str());
  std::fflush(file_);
}

void OrderLog::ends(const std::string& name, int thread) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "e %s %d\n", name.c_str(), thread);
  std::fflush(file_);
}

}  // namespace heddle
