// A setting that changed while it was observed, by tcpscope or otherwise.
#pragma once

#include <optional>

#include "core/base/moment.h"
#include "core/base/untrusted_text.h"
#include "core/model/connection_id.h"

namespace tcpscope {

struct ChangeMark {
  /// When it was seen.
  Moment time;
  /// Absent where the change concerns the whole place.
  std::optional<ConnectionId> connection;
  /// "net.ipv4.tcp_rmem", "SO_SNDBUF".
  UntrustedText key;
  /// Empty where not known.
  UntrustedText before;
  UntrustedText after;

  bool operator==(const ChangeMark&) const = default;
};

/// Cuts texts that are longer than an owner's may be (core/model/owner.h). True where one was longer.
bool cutTexts(ChangeMark& mark);

}  // namespace tcpscope
