#include "core/present/html/report_appendix.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/html/report_guide.h"
#include "core/present/html/report_sections.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/report_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

/// For each host that reports its settings.
void addSettings(std::vector<ReportBlock>& blocks, const std::vector<Place>& places) {
  for (const Place& place : places) {
    ReportTable table{"Settings of TCP and of physical interfaces", {"Setting", "Value"}, {}};
    for (const auto& [key, value] : settingRows(place)) table.rows.push_back({key, value});
    if (table.rows.empty()) continue;
    const std::string whose = places.size() > 1 ? ": " + sentence(place, places) : "";
    blocks.emplace_back(ReportHeading{3, "Host settings" + whose});
    blocks.emplace_back(std::move(table));
  }
}

}  // namespace

void addAppendix(std::vector<ReportBlock>& blocks, const std::vector<CollectionGap>& gaps,
                 const std::vector<CaptureGap>& captureGaps, const std::vector<Place>& places,
                 const std::vector<ReportedConnection>& connections) {
  blocks.emplace_back(ReportHeading{3, "What the limits mean"});
  ReportFacts limits;
  for (const Limit limit : kVerdictLimits) limits.rows.emplace_back(shortName(limit), explanation(limit));
  blocks.emplace_back(std::move(limits));
  blocks.emplace_back(ReportHeading{3, "How to read this report"});
  ReportItems trust;
  trust.items = {"A verdict with a confidence of at least 80 % can be acted on; below that it says \"likely\".",
                 "Figures that the system does not report are left out, never shown as zero.",
                 "An expected gain is a forecast with its reason; it holds if the path carries the rate."};
  for (const CollectionGap& gap : gaps) {
    if (gap.count > 0) trust.items.push_back(fmt::format("Collection gaps: {}: {}.", phrase(gap.kind), gap.count));
  }
  for (const CaptureGap& gap : captureGaps) trust.items.push_back(sentence(gap));
  if (sentence(gaps).empty() && lossSentences(captureGaps).empty()) trust.items.emplace_back("No collection gaps.");
  blocks.emplace_back(std::move(trust));
  addTuningGuide(blocks, connections);
  addSettings(blocks, places);
  for (std::size_t index = 0; index < connections.size(); ++index) {
    addVariables(blocks, connections[index], index, connections.size());
  }
}

}  // namespace tcpscope
