// Where connections are seen: a network namespace of this host, another host, a capture, a recording.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/moment.h"
#include "core/base/untrusted_text.h"
#include "core/model/connection_id.h"

namespace tcpscope {

class SysctlValues;

struct Place {
  PlaceId id;
  UntrustedText host;
  std::string bootId;
  /// Inode of the namespace, as /proc/self/ns/net names it; with its name where it has one.
  std::string networkNamespace;
  UntrustedText kernel;
  /// Name of the file that it is read from; empty for a live place.
  UntrustedText recording{};
  /// The file holds packets, not what a kernel said.
  bool isCapture = false;
  /// What is set there (core/host/sysctl_values.h), as it was last told; null where nobody told.
  std::shared_ptr<const SysctlValues> settings{};
  /// Nobody has told of it since; absent where somebody does.
  std::optional<Moment> lostSince{};
};

}  // namespace tcpscope
