// The sentences for people, in English: one place for desktop, command line and report.
//
// Rates are printed in bit/s with SI prefixes, sizes in bytes with binary prefixes, times in a fitting unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/connection_diagnosis.h"
#include "core/model/collection_gap.h"
#include "core/model/metric_catalogue.h"

namespace tcpscope {

std::string formatRate(BitsPerSecond rate);  // "12.3 Mbit/s", "unlimited"
std::string formatBytes(double bytes);       // "64.0 KiB"
std::string formatTime(double seconds);      // "1.20 ms"
std::string formatRatio(double ratio);       // "12.3 %"
/// A metric's value with its unit, as people read it.
std::string formatMetric(Metric metric, double value);

/// "Limited by the receive window (peer's receive buffer too small) — 12.0 Mbit/s; next limit 94.0 Mbit/s.", with
/// "Likely" in front below kConfident.
std::string sentence(const Verdict& verdict, Side side);
/// The verdict for a table's cell, which is too narrow for the sentence: "Receive window (slow reader): 12.0 of
/// 94.0 Mbit/s", "Network (loss)?" below kConfident.
std::string brief(const Verdict& verdict, Side side);
/// "application to 2.10 s", "network or send buffer to 3.40 s": how long into the connection, `start`, this limit held.
std::string phrase(const LimitStretch& stretch, Moment start);
/// The limit for a legend: "receive window".
std::string_view shortName(Limit limit);
std::string sentence(const Finding& finding, Side side);
/// "Receive-window limited time: 97.0 %"
std::string sentence(const Evidence& evidence);
std::string sentence(WhyNoBound why);
std::string_view title(BoundModel model);
std::string_view title(RuleId rule);
/// What this limit means and how it is measured, for hover texts and legends.
std::string_view explanation(Limit limit);
/// What got lost, for a count to follow: "inconsistent polls".
std::string_view phrase(GapKind kind);
/// "inconsistent polls: 3; refused requests: 1", one line; empty where nothing worse than information was lost.
std::string sentence(const std::vector<CollectionGap>& gaps);

}  // namespace tcpscope
