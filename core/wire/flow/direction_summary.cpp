#include "core/wire/flow/direction_summary.h"

#include "core/wire/flow/round_trip_summary.h"

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

std::optional<RoundTripSummary> summaryOf(const RoundTripDistribution& roundTrips) {
  if (roundTrips.count() == 0) return std::nullopt;
  return RoundTripSummary{roundTrips.count(), *roundTrips.min(), *roundTrips.quantile(0.5), *roundTrips.quantile(0.95),
                          *roundTrips.max()};
}

}  // namespace tcpscope
