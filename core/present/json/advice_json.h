// The advice for a side, as the documents have it.
#pragma once

#include "core/advice/advice.h"
#include "core/diagnosis/bounds/transfer_metrics.h"
#include "core/present/json/json_writer.h"

namespace tcpscope::json {

void remedy(JsonWriter& out, const Remedy& remedy);
/// Of a side: "rfc6349" where something of it is known.
void transferMetricsMembers(JsonWriter& out, const TransferMetrics& metrics, std::optional<double> transferTimeRatio);
/// Of a side: "advice" and the target check, and "why_no_advice" where it is empty.
void adviceMembers(JsonWriter& out, const SideAdvice& advice);

}  // namespace tcpscope::json
