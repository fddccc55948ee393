// Options of `apply`, `confirm`, `revert`, `verify` and `changes`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tcpscope {

struct ChangeOptions {
  /// KEY=VALUE, as `sysctl -w` takes them.
  std::vector<std::string> settings;
  std::vector<std::string> expected;
  bool preview = false;
  bool yes = false;
  bool persist = false;
  std::optional<double> revertAfterSeconds;
  /// confirm, revert and verify.
  std::uint32_t change = 0;
  /// verify: with the change, and as many without.
  std::uint32_t runs = 5;
};

void addApplyOptions(CLI::App& command, ChangeOptions& options);
void addVerifyOptions(CLI::App& command, ChangeOptions& options);
void addChangeNumber(CLI::App& command, ChangeOptions& options);

}  // namespace tcpscope
