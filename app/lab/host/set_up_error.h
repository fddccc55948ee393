// The error of a call that failed while the lab was set up.
#pragma once

#include <cerrno>
#include <string>

#include "core/base/expected.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// Of the call that has just failed, by errno; `object` says what was attempted.
inline Unexpected<LabError> setUpError(std::string object, LabErrorKind kind = LabErrorKind::setUpFailed) {
  const int errorNumber = errno;
  return Unexpected<LabError>(LabError{kind, errorNumber, UntrustedText(std::move(object))});
}

}  // namespace tcpscope::lab
