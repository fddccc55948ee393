#include "core/present/text/slow_part.h"

namespace tcpscope {

std::optional<SlowPart> slowPart(const std::vector<Evidence>& figures) {
  const Evidence* here = figureOf(figures, "this_end_ratio");
  const Evidence* path = figureOf(figures, "path_ratio");
  const Evidence* peer = figureOf(figures, "peer_ratio");
  if (here == nullptr || path == nullptr || peer == nullptr) return std::nullopt;
  if (peer->value >= here->value && peer->value >= path->value) return SlowPart::peer;
  return path->value > here->value ? SlowPart::path : SlowPart::here;
}

}  // namespace tcpscope
