// Why ssh did not bring an agent, from how it ended and what it said: an errno for SystemAttempt::reachAgent.
#pragma once

#include <optional>
#include <string_view>

namespace tcpscope {

/// `exitCode` is ssh's: its own 255, else that of the command there; `said` its standard error, of which nothing is
/// shown to anybody. EACCES for a login that was refused, EKEYREJECTED for a host key that is not known or another,
/// ENOPKG where there is no tcpscope-cli, EADDRNOTAVAIL for a name that nobody knows, and what connect(2) gives.
/// Nothing where neither tells.
std::optional<int> errnoOfSsh(int exitCode, std::string_view said);

/// Trying again brings nothing before a person did something.
bool needsPerson(int errorNumber);

}  // namespace tcpscope
