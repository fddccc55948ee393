#include <fmt/format.h>

#include "core/present/text/evidence_catalogue.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

std::string sentence(const Evidence& evidence) {
  std::string text = fmt::format("{}: {}", evidenceTitle(evidence.key), formatByKey(evidence.key, evidence.value));
  if (!evidence.comparedWith) return text;
  if (evidence.comparedWithKey.empty()) {
    return text + fmt::format(" (threshold: {})", formatByKey(evidence.key, *evidence.comparedWith));
  }
  return text + fmt::format(" ({}: {})", evidenceTitle(evidence.comparedWithKey),
                            formatByKey(evidence.comparedWithKey, *evidence.comparedWith));
}

}  // namespace tcpscope
