#include "collectors/catalogue/collector_catalogue.h"

#include <array>

#include "collectors/sock_diag/focus_collector.h"
#include "collectors/sock_diag/sock_diag_collector.h"

namespace tcpscope {

namespace {

template <class Kind>
Expected<std::unique_ptr<Collector>, NetlinkError> openAs(const SockDiagAccess& access,
                                                          const SockDiagSettings& settings) {
  return Kind::open(access, settings).map([](std::unique_ptr<Kind>&& collector) {
    return std::unique_ptr<Collector>(std::move(collector));
  });
}

template <class Kind>
constexpr CollectorRow rowOf() {
  return {Kind::kDescription.name, Kind::kDescription.what, openAs<Kind>};
}

constexpr std::array kCollectors{rowOf<SockDiagCollector>(), rowOf<FocusCollector>()};

}  // namespace

std::span<const CollectorRow> collectorCatalogue() {
  return kCollectors;
}

}  // namespace tcpscope
