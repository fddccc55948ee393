// A transient timer unit of systemd that reverts overdue trials, beside the process of revert_timer.h: that process may
// end with its login session (KillUserProcesses= of logind.conf(5)), a unit of the system's manager does not. The unit
// is a second later, and usually finds nothing to do.
//
// It is made by systemd-run(1): tcpscope-cli, which is for servers as well, links no library of systemd.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

struct RevertUnit {
  /// tcpscope-cli, which `changes` makes revert what is overdue. Absolute; for root one that only root may write to.
  std::string program;
  /// Length of the trial, from now.
  Nanoseconds after{};
  std::optional<std::string> networkNamespace{};
  /// "NAME=VALUE": where the journals are.
  std::vector<std::string> environment{};
  /// In the manager of the system instead of the user's.
  bool isOfSystem = false;
};

struct ServiceManager {
  /// Exists where systemd runs, sd_booted(3).
  std::filesystem::path running = "/run/systemd/system";
  std::string run = "/usr/bin/systemd-run";
  Nanoseconds timeout = std::chrono::seconds(3);
};

/// The arguments of systemd-run.
std::vector<std::string> revertUnitWords(const RevertUnit& unit);

/// False where systemd does not run, or does not take the unit in time.
bool startRevertUnit(const RevertUnit& unit, const ServiceManager& manager = {});

}  // namespace tcpscope
