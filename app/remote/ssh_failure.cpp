#include "app/remote/ssh_failure.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace tcpscope {

namespace {

constexpr int kCommandNotFound = 127;
/// As app/cli/exit_code.h.
constexpr int kWrongUsage = 2;

struct Saying {
  std::string_view text;
  int errorNumber;
};

/// OpenSSH is not translated.
constexpr std::array kSayings = {
    Saying{"Host key verification failed", EKEYREJECTED}, Saying{"Permission denied", EACCES},
    Saying{"Too many authentication failures", EACCES},   Saying{"Could not resolve hostname", EADDRNOTAVAIL},
    Saying{"Connection refused", ECONNREFUSED},           Saying{"No route to host", EHOSTUNREACH},
    Saying{"Network is unreachable", ENETUNREACH},        Saying{"timed out", ETIMEDOUT},
};

/// ip-netns(8) ends as ssh does, with 255, and is not translated.
bool isOfNamespace(std::string_view said) {
  return said.find("open network namespace \"") != std::string_view::npos ||
         said.find("setting the network namespace \"") != std::string_view::npos;
}

}  // namespace

std::optional<int> errnoOfSsh(int exitCode, std::string_view said) {
  if (exitCode == kCommandNotFound || said.find("exec of \"tcpscope-cli\" failed") != std::string_view::npos)
    return ENOPKG;
  if (isOfNamespace(said)) return ENODEV;
  // Of an earlier version, which does not know the option: what answers is no agent of this one.
  if (exitCode == kWrongUsage && said.find("--netns") != std::string_view::npos) return 0;
  if (exitCode != kSshFailed) return std::nullopt;
  const auto* const found = std::find_if(kSayings.begin(), kSayings.end(), [said](const Saying& saying) {
    return said.find(saying.text) != std::string_view::npos;
  });
  return found == kSayings.end() ? std::nullopt : std::optional(found->errorNumber);
}

bool needsPerson(int errorNumber) {
  // 0: what answers there is no agent.
  constexpr std::array kForPersons = {0,      EINVAL,  ENOENT,  EACCES, ENODEV, EKEYREJECTED,
                                      ENOPKG, ENOEXEC, ENOTSUP, ENOSPC};
  return std::find(kForPersons.begin(), kForPersons.end(), errorNumber) != kForPersons.end();
}

}  // namespace tcpscope
