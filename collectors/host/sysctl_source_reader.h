// Reads the files that set sysctls at boot, and looks for programs that set them later.
//
// What cannot be read is reported as unread, never as empty. Nothing here fails.
#pragma once

#include <cstddef>
#include <filesystem>

#include "core/host/other_tuners.h"
#include "core/host/sysctl_sources.h"

namespace tcpscope {

/// A file or folder beyond these is reported as unread.
struct SysctlReadLimits {
  /// In all folders together.
  std::size_t files = 256;
  std::size_t bytesOfFile = 256UL * 1024;
  std::size_t bytesInAll = 8UL * 1024 * 1024;
  /// Only what every user may read anyway: for a process with more rights than those who see the result.
  bool onlyWorldReadable = false;
};

/// Those of a system whose top is `root`. Links are followed; an absolute one leads out of a root that is not /.
SysctlSourceFiles readSysctlSourceFiles(const std::filesystem::path& root = "/", const SysctlReadLimits& limits = {});

/// By the names of processes in `root`/proc and by `root`/run/tuned.
OtherTuners otherTuners(const std::filesystem::path& root = "/");

}  // namespace tcpscope
