// Finding a tool and starting it: OpenMP 5.2, sections 19.2.1 and 19.2.2.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "abi/ompt/ompt.hpp"
#include "icv/settings.hpp"
#include "sched/reasons.hpp"
#include "sys/fatal.hpp"
#include "sys/loaded_objects.hpp"
#include "sys/thread_pointer.hpp"
#include "trace/observer.hpp"
#include "trace/tool.hpp"

namespace heddle::ompt {
namespace {

using StartTool = ompt_start_tool_result_t* (*)(unsigned, const char*);

constexpr unsigned kOpenMpVersion = 202111;  // 5.2
constexpr const char* kRuntimeVersion = "libheddle";
constexpr const char* kStartTool = "ompt_start_tool";

ompt_start_tool_result_t* g_tool = nullptr;
// That of the program or its libraries, looked for when this library is loaded: later the dynamic linker's
// lock might be held by the thread that waits for us.
void* g_start_tool_of_program = nullptr;

// What OMP_TOOL_VERBOSE_INIT asks for, in the words of LLVM's runtime, which people and tests know.
class SearchLog {
 public:
  explicit SearchLog(const std::string& where) {
    if (where == "disabled" || where == "DISABLED" || where.empty()) return;
    if (where == "stdout" || where == "STDOUT")
      file_ = stdout;
    else if (where == "stderr" || where == "STDERR")
      file_ = stderr;
    else if ((file_ = std::fopen(where.c_str(), "w")) == nullptr)
      warn("OMP_TOOL_VERBOSE_INIT: %s cannot be written", where.c_str());
    say("----- START LOGGING OF TOOL REGISTRATION -----\n");
  }
  ~SearchLog() {
    say("----- END LOGGING OF TOOL REGISTRATION -----\n");
    if (file_ != nullptr && file_ != stdout && file_ != stderr) std::fclose(file_);
  }
  SearchLog(const SearchLog&) = delete;
  SearchLog& operator=(const SearchLog&) = delete;

  /// Tools may write to the same file meanwhile.
  void say(const std::string& text) {
    if (file_ == nullptr) return;
    std::fputs(text.c_str(), file_);
    std::fflush(file_);
  }

 private:
  std::FILE* file_ = nullptr;
};

using Found = ompt_start_tool_result_t*;

Found ask(void* start_tool) {
  return start_tool != nullptr ? reinterpret_cast<StartTool>(start_tool)(kOpenMpVersion, kRuntimeVersion)
                               : nullptr;
}

Found find_in_libraries(SearchLog& log) {
  const std::vector<std::string>& libraries = settings().tool_libraries;
  if (libraries.empty()) {
    log.say("No OMP_TOOL_LIBRARIES defined.\n");
    return nullptr;
  }
  std::string list;
  for (const std::string& library : libraries) list += (list.empty() ? "" : ":") + library;
  log.say("Searching tool libraries...\nOMP_TOOL_LIBRARIES = " + list + "\n");
  for (const std::string& library : libraries) {
    log.say("Opening " + library + "... ");
    const Library opened = load_library(library);
    if (opened.handle == nullptr) {
      log.say("Failed: " + opened.error + "\n");
      continue;
    }
    log.say("Success.\nSearching for ompt_start_tool in " + library + "... ");
    const Symbol start_tool = symbol_of(opened, kStartTool);
    if (start_tool.address == nullptr) {
      log.say("Failed: " + start_tool.error + "\n");
    } else if (const Found tool = ask(start_tool.address)) {
      log.say("Success.\nTool was started and is using the OMPT interface.\n");
      return tool;
    } else {
      log.say("Found but not using the OMPT interface.\nContinuing search...\n");
    }
    unload(opened);
  }
  return nullptr;
}

Found find_tool(SearchLog& log) {
  log.say("Search for OMP tool in current address space... ");
  if (const Found tool = ask(g_start_tool_of_program)) {
    log.say("Success.\nTool was started and is using the OMPT interface.\n");
    return tool;
  }
  log.say("Failed.\n");
  const Found tool = find_in_libraries(log);
  if (tool == nullptr) log.say("...searching tool libraries failed.\nNo OMP tool loaded.\n");
  return tool;
}

void forget_callbacks() {
  g_suspend_callback = nullptr;
  for (int event = 0; event < ToolCallbacks::kEvents; ++event) g_tool_callbacks.set(event, nullptr);
}

Found find_tool_and_say() {
  SearchLog log(settings().tool_verbose_init);
  return find_tool(log);
}

void start_tool() {
  if (!settings().allows_tools) return;
  const Found tool = find_tool_and_say();
  if (tool == nullptr) return;
  if (tool->initialize(look_up, -1, &tool->tool_data) == 0) return forget_callbacks();
  g_tool = tool;
  g_reasons.add(Reason::kTool);
  activate_tool(tool_observer());
  // The tool itself may have called the runtime while it was started.
  if (Worker* const worker = known_worker()) observe_from_now(*worker);
}

constinit thread_local bool t_is_starting [[gnu::tls_model("initial-exec")]] = false;

// Once in a process, before anybody else goes on; a tool's initialize function may itself call the runtime.
void start_tool_once() {
  if (of_this_thread(t_is_starting)) return;
  [[maybe_unused]] static const bool is_done = [] {
    of_this_thread(t_is_starting) = true;
    start_tool();
    of_this_thread(t_is_starting) = false;
    return true;
  }();
}

}  // namespace

void connect() {
  g_start_tool_of_program = symbol_of_program(kStartTool);
  if (g_start_tool_of_program == reinterpret_cast<void*>(&ompt_start_tool))
    g_start_tool_of_program = symbol_behind_us(kStartTool);
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  // Where nobody wants one nothing is done at the first use.
  if (g_start_tool_of_program != nullptr || is_set("OMP_TOOL_LIBRARIES") || is_set("OMP_TOOL_VERBOSE_INIT"))
    g_start_tool = start_tool_once;
  g_end_tool = end_tool;
}

void end_tool() {
  Worker* const worker = known_worker();
  if (has_tool() && worker != nullptr) end_program(*worker);
  if (!deactivate_tool()) return;
  g_reasons.remove(Reason::kTool);
  forget_callbacks();
  if (g_tool->finalize != nullptr) g_tool->finalize(&g_tool->tool_data);
}

}  // namespace heddle::ompt

// The program's own comes first, or that of a library loaded before; one of a library loaded behind this one
// is asked from here. It is there so that linkers make the program's known to the dynamic linker.
extern "C" [[gnu::weak, gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(
    unsigned version, const char* runtime) {
  void* const next = heddle::symbol_behind_us("ompt_start_tool");
  if (next == nullptr) return nullptr;
  return reinterpret_cast<ompt_start_tool_result_t* (*)(unsigned, const char*)>(next)(version, runtime);
}

// LLVM's offloading library asks to be told of the tool; where it finds no such function it loads a second
// OpenMP runtime for it. What happens on devices is not told to tools, so it gets no answer.
extern "C" [[gnu::visibility("default")]] void ompt_libomp_connect(ompt_start_tool_result_t* /*result*/) {}
