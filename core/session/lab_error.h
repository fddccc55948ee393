// Why the lab, or a part of it, cannot run on this machine: what was attempted, on what, and the errno. The sentence is
// made in core/present/text/lab_text.h.
#pragma once

#include <cstdint>

#include "core/base/untrusted_text.h"

namespace tcpscope {

enum class LabErrorKind : std::uint8_t {
  /// `object` is the sysctl that denies them; empty where none does.
  noUserNamespaces,
  /// Neither a TUN device nor a pair of virtual Ethernet devices; `object` is what was opened.
  noDevice,
  /// `object` is the algorithm that this kernel lacks.
  noCongestionControl,
  /// `object` is the key. EACCES, EPERM, EROFS: read-only inside a namespace; ENOENT: no such key; EINVAL: refused
  /// value;
  /// 0: the kernel took another value than was written.
  sysctlRefused,
  /// A socket takes another value than was asked for (buffers beyond net.core.rmem_max); `object` is the option.
  optionRefused,
  /// Hosts, programs or transfers beyond what the lab bounds; `object` names them.
  tooMany,
  setUpFailed,
  /// The engine, or one of its processes, is gone.
  engineEnded
};

struct LabError {
  LabErrorKind kind = LabErrorKind::setUpFailed;
  /// 0 where the call gave none.
  int errorNumber = 0;
  UntrustedText object;
};

}  // namespace tcpscope
