#include "core/wire/flow/direction_summary.h"

#include "core/wire/flow/rtt_summary.h"

namespace tcpscope {

std::string_view name(Vantage vantage) {
  switch (vantage) {
    case Vantage::sender:
      return "sender";
    case Vantage::receiver:
      return "receiver";
    case Vantage::middle:
      return "middle";
    case Vantage::unknown:
      break;
  }
  return "unknown";
}

std::optional<RttSummary> summaryOf(const RttDistribution& rtts) {
  if (rtts.count() == 0) return std::nullopt;
  return RttSummary{rtts.count(), *rtts.min(), *rtts.quantile(0.5), *rtts.quantile(0.95), *rtts.max()};
}

}  // namespace tcpscope
