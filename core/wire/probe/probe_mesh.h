// A mesh of probes: which hosts there are, which pairs of them are measured, and what each pair showed.
//
// A host behind ssh sends and receives. A listener that runs already only receives, and so do its pairs: nothing can be
// started there. The host of the caller only sends: no address is known at which the others reach it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/wire/probe/probe_analysis.h"

namespace tcpscope {

inline constexpr std::size_t kMostMeshHosts = 16;

struct ProbeMeshHost {
  /// As its user wrote it: "ssh://db1", "db2:40123".
  std::string name;
  bool sends = false;
};

struct ProbeMeshPair {
  /// Number of the host; absent for the caller's own.
  std::optional<std::size_t> from;
  std::size_t to = 0;
  bool operator==(const ProbeMeshPair&) const = default;
};

/// From the caller's host to each, then from each host that sends to each other one: the order of the measurement.
std::vector<ProbeMeshPair> pairsOf(const std::vector<ProbeMeshHost>& hosts);

struct ProbeMeshResult {
  ProbeMeshPair pair;
  WallTime start;
  /// Or why it was not measured, in words.
  Expected<ProbeAnalysis, std::string> measured;
};

struct ProbeMesh {
  std::vector<ProbeMeshHost> hosts;
  std::vector<ProbeMeshResult> results;
};

/// "ssh://db1"; "here" for the caller's own host, which no host of a mesh is called.
std::string_view nameIn(const ProbeMesh& mesh, std::optional<std::size_t> host);

}  // namespace tcpscope
