// The check-up of another host, made there by its own tcpscope-cli behind the user's ssh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/remote/ssh_command.h"
#include "core/base/expected.h"
#include "core/present/json/checkup_document.h"

namespace tcpscope {

struct CheckupOrder {
  /// Between its two readings.
  Milliseconds time{5000};
  /// A process there.
  std::optional<std::uint32_t> pid{};
  /// The path to this host is probed from there, which takes some 30 s more; empty for none.
  std::string path{};
};

/// ssh and what it is to run.
std::vector<std::string> checkupWords(const SshAddress& host, SshManner manner, const CheckupOrder& order);

/// As long as any check-up takes, ssh's own time included.
Milliseconds longestCheckup(const CheckupOrder& order);

/// How that ended, and what it printed.
struct CheckupAnswer {
  /// Negative where it was ended, or did not start.
  int exitCode = -1;
  std::string output{};
  std::string errors{};
};

/// Blocks until the host has checked itself. What ssh and the program there say goes to the
/// terminal, as it is.
CheckupAnswer askForCheckup(const SshAddress& host, SshManner manner, const CheckupOrder& order);

/// The check-up; or why there is none, as a sentence. `address` is what stands behind "ssh://".
Expected<HostCheckup, std::string> checkupIn(std::string_view address, const CheckupAnswer& answer);

}  // namespace tcpscope
