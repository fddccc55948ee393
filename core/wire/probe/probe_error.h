// Why a probe could not measure; the sentence is made in core/present/text/probe_text.h.
#pragma once

#include <cstdint>

#include "core/base/expected.h"

namespace tcpscope {

struct ProbeError {
  enum class Kind : std::uint8_t {
    /// A call of this host failed.
    systemFailed,
    /// The other end cannot be reached.
    unreachable,
    /// It said nothing in time.
    silent,
    /// It ended the connection.
    ended,
    /// What it said is no answer of a probe's listener.
    notAProbe,
    /// It does not measure what was asked for.
    refused,
    interrupted,
  };
  Kind kind = Kind::systemFailed;
  /// 0 where there is none.
  int errorNumber = 0;
};

inline Unexpected<ProbeError> probeFailure(ProbeError::Kind kind, int errorNumber = 0) {
  return Unexpected<ProbeError>({kind, errorNumber});
}

}  // namespace tcpscope
