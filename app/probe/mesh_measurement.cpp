#include "app/probe/mesh_measurement.h"

namespace tcpscope {

std::vector<ProbeMeshHost> meshHosts(const std::vector<ProbeTarget>& targets) {
  std::vector<ProbeMeshHost> hosts;
  hosts.reserve(targets.size());
  for (const ProbeTarget& target : targets) hosts.push_back({target.name, target.isSsh});
  return hosts;
}

ProbeMesh measureMesh(std::vector<ProbeMeshHost> hosts, const MeshMeans& means) {
  ProbeMesh mesh;
  mesh.hosts = std::move(hosts);
  for (const ProbeMeshPair& pair : pairsOf(mesh.hosts)) {
    const WallTime start = means.now();
    auto measured = means.isInterrupted() ? Unexpected<std::string>("interrupted") : means.measure(pair);
    mesh.results.push_back({pair, start, std::move(measured)});
  }
  return mesh;
}

}  // namespace tcpscope
