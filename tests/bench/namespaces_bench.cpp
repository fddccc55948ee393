// The sockets of 50 network namespaces with 200 each against the same number of sockets in one: the processor time of a
// poll, as `--netns all` makes it, where one connection of each namespace sent something since the last one, where each
// did, and where none did. The analysis and the table of a whole command come on top, the same for both.
#include <fmt/core.h>

#include <functional>
#include <memory>
#include <vector>

#include "app/session/other_namespaces.h"
#include "tests/bench/measurement.h"
#include "tests/support/serving_namespace.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// The means of polls a second apart after the first, which enters the namespaces: now and then one is a dump.
struct Polled {
  double oneSeconds = 0.0;
  double eachSeconds = 0.0;
  double quietSeconds = 0.0;
  std::size_t sockets = 0;
};

Polled poll(std::size_t namespaces, std::size_t socketsEach, int rounds) {
  std::vector<std::unique_ptr<test::ServingNamespace>> held;
  for (std::size_t one = 0; one < namespaces; ++one) {
    held.push_back(std::make_unique<test::ServingNamespace>(socketsEach / 2));
    if (!held.back()->isThere()) giveUp("no network namespaces here");
  }
  auto own = findLocalPlace(std::string(kAllNamespaces));
  if (!own) giveUp("the kernel gives no diagnosis socket");
  Moment now = own->access.now();
  own->access.now = [&now] { return now; };
  OtherNamespaces others(*own);
  Polled polled;
  others.poll([&](ObservationBatch&& batch) {
    polled.sockets += batch.changed.size();
    return true;
  });
  const auto measure = [&](const std::function<void(test::ServingNamespace&)>& act) {
    double seconds = 0.0;
    for (int round = 0; round < rounds; ++round) {
      for (const auto& one : held) act(*one);
      now = now + std::chrono::seconds(1);
      seconds += threadCpuOf([&] { others.poll([](ObservationBatch&&) { return true; }); });
    }
    return seconds / rounds;
  };
  polled.oneSeconds = measure([](test::ServingNamespace& one) { one.send(); });
  polled.eachSeconds = measure([](test::ServingNamespace& one) { one.sendOnAll(); });
  polled.quietSeconds = measure([](test::ServingNamespace&) {});
  return polled;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t namespaces = quick ? 3 : 50;
  const std::size_t each = quick ? 20 : 200;
  const int rounds = quick ? 3 : 120;
  const Polled one = poll(1, namespaces * each, rounds);
  const Polled many = poll(namespaces, each, rounds);
  if (many.sockets < namespaces * each || one.sockets < namespaces * each) giveUp("not all sockets were seen");
  const auto figure = [&](std::string_view what, double seconds, double inOne, std::optional<double> bound) {
    publish({fmt::format("poll of {} namespaces with {} sockets each, {}", namespaces, each, what),
             fmt::format("{:.2f} ms CPU", seconds * 1e3), fmt::format("a dump of all in one {:.2f} ms", inOne * 1e3),
             seconds / inOne, "ratio", quick ? std::nullopt : bound});
  };
  figure("one connection of which sent since the last", many.oneSeconds, one.oneSeconds, 1.3);
  figure("all connections of which sent", many.eachSeconds, one.eachSeconds, std::nullopt);
  figure("none of which sent", many.quietSeconds, one.oneSeconds, 1.3);
  return 0;
}
