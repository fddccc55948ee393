// Where connections are seen: a network namespace of this host, another host, a capture, a recording.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/moment.h"
#include "core/base/untrusted_text.h"
#include "core/model/connection_id.h"

namespace tcpscope {

class SysctlValues;

struct Place {
  PlaceId id;
  UntrustedText host;
  std::string bootId;
  /// Name of the namespace; its inode, as /proc/self/ns/net has it, where it has no name.
  std::string networkNamespace;
  UntrustedText kernel;
  /// What its first process belongs to, such as a container, where the namespace has no name; else empty.
  std::string container{};
  /// Name of the file that it is read from; empty for a live source.
  UntrustedText recording{};
  /// The file holds packets, not kernel samples.
  bool isCapture = false;
  /// Its settings (core/host/sysctl_values.h), as last reported; null where none were reported.
  std::shared_ptr<const SysctlValues> settings{};
  /// No source has reported it since; absent while one does.
  std::optional<Moment> lostSince{};

  /// As ip-netns(8) calls the namespace; nothing where it has no name.
  [[nodiscard]] std::optional<std::string> namespaceName() const;
  /// What a person knows the namespace by: its name, its container, else its inode.
  [[nodiscard]] const std::string& namespaceLabel() const { return container.empty() ? networkNamespace : container; }
};

/// Whether a text could be what the kernel calls one boot (/proc/sys/kernel/random/boot_id, random(4)): 36 hexadecimal
/// digits and dashes.
bool isBootId(std::string_view text);

}  // namespace tcpscope
