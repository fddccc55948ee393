// The JSON document `tcpscope.probe`: what was sent, what arrived, how it was lost, and whether the measurement counts;
// and `tcpscope.probe_mesh`, the same in short for each pair of a mesh.
#pragma once

#include <string>
#include <string_view>

#include "core/base/untrusted_text.h"
#include "core/wire/probe/probe_mesh.h"

namespace tcpscope {

/// One document with a final newline. `host` is where the packets went.
std::string toJson(const ProbeAnalysis& analysis, const UntrustedText& host, WallTime start);

/// More than the longest measurement makes.
inline constexpr std::size_t kMostProbeDocumentBytes = std::size_t{16} << 20U;

/// What a document of another program holds of a measurement; nothing where it is none. Of the losses of single runs it
/// has their number only. What is beyond its range is taken as unknown.
std::optional<ProbeAnalysis> parseProbe(std::string_view document);

/// The document `tcpscope.probe_mesh`.
std::string toJson(const ProbeMesh& mesh, WallTime start);

/// The JSON Schemas, as installed and tested.
std::string_view probeSchema();
std::string_view probeMeshSchema();

}  // namespace tcpscope
