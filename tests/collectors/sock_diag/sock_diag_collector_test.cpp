#include "collectors/sock_diag/sock_diag_collector.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "collectors/sock_diag/netlink_socket.h"
#include "tests/support/running_collector.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::RunningCollector;

using Batches = std::vector<ObservationBatch>;

std::optional<SocketObservation> findSocket(const Batches& batches, std::uint64_t cookie) {
  for (const ObservationBatch& batch : batches) {
    for (const SocketObservation& socket : batch.changed) {
      if (socket.id.cookie == cookie) return socket;
    }
  }
  return std::nullopt;
}

std::unique_ptr<Collector> openCollector() {
  return std::move(*SockDiagCollector::open(ownSockDiagAccess(), {}));
}

TEST(SockDiagCollector, ReportsExistingSocketsAndStopsOnRequest) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::uint64_t cookie = test::cookieOf(client);
  RunningCollector collector(openCollector());
  EXPECT_TRUE(
      collector.waitUntil([cookie](const Batches& batches) { return findSocket(batches, cookie).has_value(); }));
}

TEST(SockDiagCollector, DumpsAgainAtTheInterval) {
  RunningCollector collector(openCollector());
  CollectorRequest request;
  request.listInterval = 20ms;
  collector.requests.set(request);
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) {
    return std::count_if(batches.begin(), batches.end(),
                         [](const ObservationBatch& batch) { return batch.dumpEndedAt.has_value(); }) >= 5;
  }));
}

}  // namespace
}  // namespace tcpscope
