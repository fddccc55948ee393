#include "core/advice/tuning_load.h"

#include <algorithm>

namespace tcpscope {

std::optional<TuningLoad> loadOf(const LoadFacts& facts) {
  if (facts.streams > 1) return TuningLoad::parallelStreams;
  if (!facts.bytes || !facts.rate || !facts.rttSeconds || *facts.rttSeconds <= 0.0) return std::nullopt;
  // Latency decides where a transfer has not the time to fill its path some times over.
  constexpr double kSmallestBulk = 65536.0;
  constexpr double kProductsOfBulk = 4.0;
  const double product = facts.rate->value() / 8.0 * *facts.rttSeconds;
  if (*facts.bytes < std::max(kSmallestBulk, kProductsOfBulk * product)) return TuningLoad::shortTransfers;
  // At 100 ms the paper found that congestion control decides, not the tuning. What is local is our own choice.
  constexpr double kLocalSeconds = 0.005;
  constexpr double kVeryLongSeconds = 0.100;
  if (*facts.rttSeconds < kLocalSeconds) return TuningLoad::localNetwork;
  return *facts.rttSeconds < kVeryLongSeconds ? TuningLoad::bulkTransfers : TuningLoad::veryLongPath;
}

}  // namespace tcpscope
