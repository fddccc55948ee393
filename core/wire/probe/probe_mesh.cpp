#include "core/wire/probe/probe_mesh.h"

namespace tcpscope {

std::vector<ProbeMeshPair> pairsOf(const std::vector<ProbeMeshHost>& hosts) {
  std::vector<ProbeMeshPair> pairs;
  for (std::size_t to = 0; to < hosts.size(); ++to) pairs.push_back({std::nullopt, to});
  for (std::size_t from = 0; from < hosts.size(); ++from) {
    for (std::size_t to = 0; to < hosts.size() && hosts[from].sends; ++to) {
      if (to != from) pairs.push_back({from, to});
    }
  }
  return pairs;
}

std::string_view nameIn(const ProbeMesh& mesh, std::optional<std::size_t> host) {
  return host ? std::string_view(mesh.hosts.at(*host).name) : "here";
}

}  // namespace tcpscope
