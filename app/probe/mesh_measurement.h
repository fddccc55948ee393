// Measures the pairs of a mesh, one after the other: two at once would be each other's load.
#pragma once

#include <functional>

#include "app/probe/probe_target.h"
#include "core/wire/probe/probe_mesh.h"

namespace tcpscope {

struct MeshMeans {
  /// Blocks until the pair is measured, or fails in words.
  std::function<Expected<ProbeAnalysis, std::string>(const ProbeMeshPair&)> measure;
  std::function<WallTime()> now;
  /// Every pair that follows is not measured.
  std::function<bool()> isInterrupted;
};

std::vector<ProbeMeshHost> meshHosts(const std::vector<ProbeTarget>& targets);

/// A result for every pair, in their order: one that fails does not end it.
ProbeMesh measureMesh(std::vector<ProbeMeshHost> hosts, const MeshMeans& means);

}  // namespace tcpscope
