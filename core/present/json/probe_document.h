// The JSON document `tcpscope.probe`: what was sent, what arrived, how it was lost, and whether the measurement counts.
#pragma once

#include <string>
#include <string_view>

#include "core/base/untrusted_text.h"
#include "core/wire/probe/probe_analysis.h"

namespace tcpscope {

/// One document with a final newline. `host` is where the packets went.
std::string toJson(const ProbeAnalysis& analysis, const UntrustedText& host, WallTime start);

/// The JSON Schema, as installed and tested.
std::string_view probeSchema();

}  // namespace tcpscope
