#include "core/diagnosis/rule_catalogue.h"

#include <algorithm>

namespace tcpscope {

std::span<const Rule> ruleCatalogue() {
  return {};
}

std::vector<Finding> findingsOf(const DiagnosisInput& input, const Verdict& verdict) {
  std::vector<Finding> findings;
  for (const Rule& rule : ruleCatalogue()) {
    if (auto finding = rule.apply(input, verdict)) findings.push_back(std::move(*finding));
  }
  const auto graver = [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.confidenceRatio > b.confidenceRatio;
  };
  std::stable_sort(findings.begin(), findings.end(), graver);
  return findings;
}

}  // namespace tcpscope
