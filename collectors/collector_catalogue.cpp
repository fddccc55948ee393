#include "collectors/collector_catalogue.h"

#include "collectors/sock_diag/sock_diag_collector.h"

namespace tcpscope {

namespace {

Expected<std::unique_ptr<Collector>, NetlinkError> openSockDiag(const SockDiagAccess& access,
                                                                const SockDiagSettings& settings) {
  return SockDiagCollector::open(access, settings).map([](std::unique_ptr<SockDiagCollector>&& collector) {
    return std::unique_ptr<Collector>(std::move(collector));
  });
}

constexpr std::array<CollectorRow, 1> kCollectors{{
    {SockDiagCollector::kDescription.name, SockDiagCollector::kDescription.what, openSockDiag},
}};

}  // namespace

std::span<const CollectorRow> collectorCatalogue() {
  return kCollectors;
}

}  // namespace tcpscope
