// Sentences about a target rate, and the metrics of RFC 6349.
#pragma once

#include <optional>
#include <string>

#include "core/advice/target_check.h"
#include "core/diagnosis/bounds/transfer_metrics.h"

namespace tcpscope {

/// "100 Mbit/s over 20.0 ms would not pass: the receive window covers 64.0 KiB of the 244 KiB that have to be in
/// flight."
std::string sentence(const TargetCheck& target);

/// "efficiency 98.03 %, buffer delay 28 %, transfer time 1.25 times that at the target rate"; empty where nothing is
/// known.
std::string metricsText(const TransferMetrics& metrics, std::optional<double> transferTimeRatio = std::nullopt);

}  // namespace tcpscope
