// The pieces that several JSON documents share: time, metrics, evidence, one side's diagnosis.
//
// What is not known gives no key. Foreign text passes forPlainText(), which leaves clean UTF-8 without control
// characters.
#pragma once

#include <string>

#include "core/advice/path_sighting.h"
#include "core/present/json/json_writer.h"
#include "core/session/session_snapshot.h"

namespace tcpscope::json {

/// RFC 3339 in UTC with microseconds: "2026-01-02T03:04:05.000006Z".
std::string timeText(WallTime time);

/// What every document begins with.
void schemaMembers(JsonWriter& out, std::string_view schema, int version);

/// Every metric that the source reports, in the order of the catalogue.
void metrics(JsonWriter& out, const MetricSource& source);

void process(JsonWriter& out, const Owner& owner);
/// Negotiated at the beginning.
void options(JsonWriter& out, const PathOptions& negotiated);
void evidence(JsonWriter& out, const std::vector<Evidence>& all);
void finding(JsonWriter& out, const Finding& finding, Side side);
void verdict(JsonWriter& out, const Verdict& verdict, Side side);
/// Shares of the observed time; all unknown where nothing was observed.
void limitsMembers(JsonWriter& out, const LimitShares& shares);
void sideMembers(JsonWriter& out, const SideDiagnosis& diagnosis);
/// The names of values, as name() gives them.
template <class Values>
void names(JsonWriter& out, const Values& values) {
  out.array(values, [&out](const auto& one) { out.value(name(one)); });
}

}  // namespace tcpscope::json
