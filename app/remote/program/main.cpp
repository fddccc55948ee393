// tcpscope-agent: what `tcpscope-cli agent` executes, and what is copied to hosts without tcpscope-cli. A program of
// its own, so that what runs on other hosts, or as root, links only what an agent needs.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <span>
#include <string_view>
#include <system_error>

#include "app/remote/program/system_call_filter.h"
#include "app/remote/run_agent.h"
#include "core/base/escape.h"
#include "core/present/text/error_text.h"

namespace tcpscope {
namespace {

/// As app/cli/exit_code.h.
constexpr int kWrongUsage = 2;
constexpr int kMissingRight = 3;
constexpr int kSystemFailed = 5;

int serve(const AgentSettings& settings) {
  const int failure = runAgent(STDIN_FILENO, STDOUT_FILENO, settings);
  if (failure == 0) return 0;
  fmt::print(stderr, "tcpscope-agent: {}\n",
             forTerminal(sentence(SystemError{SystemAttempt::openSocketDiagnosis, failure, {}})));
  return failure == EPERM || failure == EACCES ? kMissingRight : kSystemFailed;
}

void restrict(EnteredNamespaces namespaces) {
  const int failure = restrictSystemCalls(namespaces);
  if (failure == 0) return;
  fmt::print(stderr, "tcpscope-agent: the kernel does not restrict its system calls: {}\n",
             std::generic_category().message(failure));
}

int run(std::span<char*> words) {
  AgentSettings settings;
  for (const std::string_view word : words) {
    if (word == "--version") {
      fmt::print("tcpscope {}\n", TCPSCOPE_VERSION);
      return 0;
    }
    if (word == "--no-resolve") {
      settings.resolveOwners = false;
    } else if (word == "--netns=all") {
      settings.andOthers = true;
    } else {
      fmt::print(stderr,
                 "tcpscope-agent: it takes --no-resolve, --netns=all and --version only; 'tcpscope-cli agent' starts "
                 "it\n");
      return kWrongUsage;
    }
  }
  const auto namespaces = settings.andOthers ? EnteredNamespaces::network : EnteredNamespaces::none;
  settings.whenSetUp = [namespaces] { restrict(namespaces); };
  return serve(settings);
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  return tcpscope::run(std::span(arguments, static_cast<std::size_t>(argumentCount)).subspan(1));
}
