#include "app/remote/ssh_failure.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace tcpscope {

namespace {

constexpr int kCommandNotFound = 127;

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

}  // namespace

std::optional<int> errnoOfSsh(int exitCode, std::string_view said) {
  if (exitCode == kCommandNotFound) return ENOPKG;
  // It gives its reason in the language of that host.
  if (exitCode != kSshFailed)
    return said.find("nsenter: ") != std::string_view::npos ? std::optional(ENODEV) : std::nullopt;
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
