// Tries what the lab needs of this machine: namespaces of its own, virtual devices and packet sockets within them.
//
// A child of this process tries it and ends, and everything goes with it. Takes some milliseconds, more on a busy
// machine: for a background thread or a command.
#pragma once

#include <filesystem>

#include "core/host/capability.h"

namespace tcpscope {

/// What a child found: the errno of each step, 0 where it worked, kNotTried where an earlier step was in the way.
struct LabTrial {
  static constexpr int kNotTried = -1;
  int userNamespace = kNotTried;
  int networkNamespace = kNotTried;
  int vethPair = kNotTried;
  int tunDevice = kNotTried;
  int packetSocket = kNotTried;
};

/// Sysctls that keep users without rights from having a user namespace that is of use; false where there is none.
struct UserNamespaceSwitches {
  bool cloneOff = false;
  bool restrictedByAppArmor = false;
};

/// One row for each capability of the lab that the trial is about: all but the congestion controls.
CapabilityReport labReport(const LabTrial& trial, const UserNamespaceSwitches& switches);

UserNamespaceSwitches readUserNamespaceSwitches(const std::filesystem::path& procRoot);
LabTrial tryLab();

CapabilityReport probeLab(const std::filesystem::path& procRoot = "/proc");

}  // namespace tcpscope
