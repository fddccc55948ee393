// Why ssh did not bring an agent, from how it ended and what it said: an errno for SystemAttempt::reachAgent.
#pragma once

#include <optional>
#include <string_view>

namespace tcpscope {

/// The exit status of ssh itself, as opposed to that of the remote command (ssh(1)).
inline constexpr int kSshFailed = 255;

/// `exitCode` is ssh's: its own kSshFailed, else that of the remote command; `said` its standard error, which is never
/// shown. EACCES for a refused login, EKEYREJECTED for a host key that is unknown or has changed, ENOPKG where there is
/// no tcpscope-cli, EADDRNOTAVAIL for a name that does not resolve, ENODEV where the network namespace cannot be
/// entered, and the errors of connect(2). Nothing where neither gives a reason.
std::optional<int> errnoOfSsh(int exitCode, std::string_view said);

/// Trying again brings nothing before a person did something.
bool needsPerson(int errorNumber);

}  // namespace tcpscope
