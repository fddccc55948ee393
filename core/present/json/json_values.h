// The pieces that several JSON documents share: time, figures, metrics, evidence, one side's diagnosis.
//
// What is not known gives no key; "without limit" is the string "unlimited". Foreign text passes forPlainText(), which
// leaves clean UTF-8 without control characters; the quoting is the JSON library's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/advice/path_sighting.h"
#include "core/session/session_snapshot.h"

namespace tcpscope::json {

using Json = nlohmann::ordered_json;

/// RFC 3339 in UTC with microseconds: "2026-01-02T03:04:05.000006Z".
std::string timeText(WallTime time);

/// Whole numbers without a fraction, "unlimited" for infinity, null for NaN.
Json figure(double value);

/// Every metric that the source reports, in the order of the catalogue.
Json metrics(const MetricSource& source);

Json process(const Owner& owner);
/// Negotiated at the beginning.
Json options(const PathOptions& negotiated);
Json evidence(const std::vector<Evidence>& all);
Json finding(const Finding& finding, Side side);
Json verdict(const Verdict& verdict, Side side);
/// Shares of the observed time; all unknown where nothing was observed.
Json limits(const LimitShares& shares);
Json side(const SideDiagnosis& diagnosis);

/// One line, without indentation; bytes that are no UTF-8 become U+FFFD.
std::string compact(const Json& document);

}  // namespace tcpscope::json
