// The JSON document `tcpscope.doctor`: what works on a machine, what is missing, and the command that mends it.
#pragma once

#include <string>

#include "core/base/moment.h"
#include "core/base/untrusted_text.h"
#include "core/host/capability.h"

namespace tcpscope {

/// One document with a final newline. `kernel` is the release that the machine names.
std::string toJson(const CapabilityReport& report, const UntrustedText& kernel, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view doctorSchema();

}  // namespace tcpscope
