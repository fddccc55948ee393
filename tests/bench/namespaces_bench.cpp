// The sockets of 50 network namespaces with 200 each against the same number of sockets in one: the processor time of a
// poll, as `--netns all` makes it.
#include <fmt/core.h>

#include "app/session/other_namespaces.h"
#include "tests/bench/measurement.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// With so many sockets of connections over its loopback device.
class HoldingNamespace : public test::NamespaceProcess {
public:
  explicit HoldingNamespace(std::size_t sockets)
      : NamespaceProcess([sockets] {
          using Connections = std::vector<std::pair<test::Descriptor, test::Descriptor>>;
          std::optional<Connections> connections;
          test::enterOwnNamespace();
          if (!test::hasOwnNamespace()) return connections;
          const test::LoopbackListener listener;
          connections.emplace();
          while (2 * connections->size() < sockets) connections->push_back(listener.connect());
          return connections;
        }) {
    if (!isThere()) giveUp("no network namespaces here");
  }
};

struct Polled {
  double seconds = 0.0;
  std::size_t sockets = 0;
};

/// The median of polls after the first, which enters the namespaces.
Polled poll(std::size_t namespaces, std::size_t socketsEach, int rounds) {
  std::vector<std::unique_ptr<HoldingNamespace>> held;
  for (std::size_t one = 0; one < namespaces; ++one) held.push_back(std::make_unique<HoldingNamespace>(socketsEach));
  const auto own = findLocalPlace(std::string(kAllNamespaces));
  if (!own) giveUp("the kernel gives no diagnosis socket");
  OtherNamespaces others(*own);
  Polled polled;
  others.poll([&](ObservationBatch&& batch) {
    polled.sockets += batch.changed.size();
    return true;
  });
  std::vector<double> seconds;
  for (int round = 0; round < rounds; ++round) {
    seconds.push_back(threadCpuOf([&] { others.poll([](ObservationBatch&&) { return true; }); }));
  }
  polled.seconds = median(seconds);
  return polled;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t namespaces = quick ? 3 : 50;
  const std::size_t each = quick ? 20 : 200;
  const int rounds = quick ? 3 : 101;
  const Polled one = poll(1, namespaces * each, rounds);
  const Polled many = poll(namespaces, each, rounds);
  if (many.sockets < namespaces * each || one.sockets < namespaces * each) giveUp("not all sockets were seen");
  publish({fmt::format("poll of {} namespaces with {} sockets each", namespaces, each),
           fmt::format("{:.2f} ms CPU", many.seconds * 1e3), fmt::format("all in one {:.2f} ms", one.seconds * 1e3),
           many.seconds / one.seconds, "ratio", quick ? std::nullopt : std::optional(1.3)});
  return 0;
}
