#include "core/present/html/report_appendix.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/html/report_sections.h"
#include "core/present/text/report_text.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

/// Of each place that tells its settings.
void addSettings(std::vector<ReportBlock>& blocks, const std::vector<Place>& places) {
  for (const Place& place : places) {
    ReportTable table{"Settings of TCP and of the interfaces with hardware", {"Setting", "Value"}, {}};
    for (const auto& [key, value] : settingRows(place)) table.rows.push_back({key, value});
    if (table.rows.empty()) continue;
    const std::string whose = places.size() > 1 ? ": " + sentence(place) : "";
    blocks.emplace_back(ReportHeading{3, "How the host was set" + whose});
    blocks.emplace_back(std::move(table));
  }
}

}  // namespace

void addAppendix(std::vector<ReportBlock>& blocks, const std::vector<CollectionGap>& gaps,
                 const std::vector<Place>& places, const std::vector<ReportedConnection>& connections) {
  blocks.emplace_back(ReportHeading{2, "Appendix"});
  blocks.emplace_back(ReportHeading{3, "What the limits mean"});
  ReportFacts limits;
  for (const Limit limit : kLimits) limits.rows.emplace_back(shortName(limit), explanation(limit));
  blocks.emplace_back(std::move(limits));
  blocks.emplace_back(ReportHeading{3, "How far to trust this report"});
  ReportItems trust;
  trust.items = {"A confidence of 80 % and more is meant to be acted on; below that a verdict says \"probably\".",
                 "A figure that the system does not report is left out; it is never shown as zero.",
                 "What a change should bring is a forecast with its reason, and holds if the path carries it."};
  for (const CollectionGap& gap : gaps) {
    if (gap.count > 0) trust.items.push_back(fmt::format("While looking: {}: {}.", phrase(gap.kind), gap.count));
  }
  if (sentence(gaps).empty()) trust.items.emplace_back("Nothing that was asked for got lost on the way.");
  blocks.emplace_back(std::move(trust));
  addSettings(blocks, places);
  for (std::size_t index = 0; index < connections.size(); ++index) {
    addVariables(blocks, connections[index], index, connections.size());
  }
}

}  // namespace tcpscope
