// The advice for a side, as the documents have it.
#pragma once

#include "core/advice/advice.h"
#include "core/diagnosis/bounds/transfer_metrics.h"
#include "core/present/json/json_values.h"

namespace tcpscope::json {

Json remedy(const Remedy& remedy);
/// Adds "rfc6349" where something of it is known.
void addTransferMetrics(Json& side, const TransferMetrics& metrics, std::optional<double> transferTimeRatio);
/// Adds "advice" and the target check, and "why_no_advice" where it is empty, to a side's object.
void addAdvice(Json& side, const SideAdvice& advice);

}  // namespace tcpscope::json
