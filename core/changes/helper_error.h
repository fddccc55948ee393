// Why the helper on the system bus did not do what it was asked for. The sentence is made in core/text/change_text.h.
#pragma once

#include <cstdint>

#include "core/base/untrusted_text.h"

namespace tcpscope {

enum class HelperErrorKind : std::uint8_t {
  /// Polkit, or whoever it asked, did not say yes; nothing was changed.
  denied,
  /// There is no helper on this system, or it cannot be started or reached.
  notAvailable,
  /// The helper said why.
  failed,
};

struct HelperError {
  HelperErrorKind kind = HelperErrorKind::failed;
  /// failed: the helper's sentence. notAvailable: what the bus said.
  UntrustedText said;
};

}  // namespace tcpscope
