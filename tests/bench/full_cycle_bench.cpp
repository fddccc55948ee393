// Figure 1: the processor time of a full cycle over 100,000 sockets, from the kernel's dump to the snapshot, against a
// bare dump whose bytes are discarded. Cycles come one after the other, and once more a second apart, as polls do by
// default: what drops out of a window meanwhile and what is still in the cache depend on it. The ratio is the median of
// those of neighbours, one cycle and one dump: the machine may be faster at one time than at another.
#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "tests/bench/bare_dump.h"
#include "tests/bench/held_connections.h"
#include "tests/bench/live_parts.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

struct Series {
  std::vector<double> ours;
  std::vector<double> bare;
  std::vector<double> collecting;
  std::vector<double> accepting;
  std::vector<double> ticking;
  std::vector<double> ratios;
};

Series alternate(HeldConnections& held, LiveParts& parts, BareDump& bare, unsigned percent, int rounds,
                 std::chrono::seconds apart = std::chrono::seconds(0)) {
  Series series;
  auto due = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_until(due);
    due += apart;
    held.change(percent);
    const auto measureBare = [&] { series.bare.push_back(threadCpuOf([&] { bare.dump(); })); };
    // The second one finds a warmer cache.
    if (round % 2 == 0) measureBare();
    series.ours.push_back(threadCpuOf([&] { parts.cycle(); }));
    if (round % 2 == 1) measureBare();
    series.ratios.push_back(series.ours.back() / series.bare.back());
    series.collecting.push_back(parts.collecting());
    series.accepting.push_back(parts.accepting());
    series.ticking.push_back(parts.ticking());
  }
  return series;
}

void publishSeries(const Series& series, const std::string& name, const LiveParts& parts,
                   std::optional<double> target) {
  const double ours = median(series.ours);
  const double bare = median(series.bare);
  fmt::print("  {}: {} rows, {} changed; collecting {:.1f} ms, accepting {:.1f} ms, ticking {:.1f} ms\n", name,
             parts.snapshot().totalRows, parts.changed(), median(series.collecting) * 1e3,
             median(series.accepting) * 1e3, median(series.ticking) * 1e3);
  publish({name, fmt::format("{:.1f} ms CPU", ours * 1e3), fmt::format("bare dump {:.1f} ms", bare * 1e3),
           median(series.ratios), "ratio", target});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t sockets = quick ? 2'000 : 100'000;
  HeldConnections held(sockets);
  BareDump bare;
  LiveParts parts;
  parts.cycle();
  parts.giveOwners();
  parts.cycle();
  if (parts.snapshot().totalRows < sockets) {
    fmt::print(stderr, "only {} of {} sockets were seen\n", parts.snapshot().totalRows, sockets);
    return 1;
  }
  // First until as many connections are active as the window of the verdicts holds at this share of changes.
  alternate(held, parts, bare, 5, quick ? 1 : 10);
  publishSeries(alternate(held, parts, bare, 5, quick ? 2 : 15),
                fmt::format("full cycle, {} sockets, 5 % changed", sockets), parts,
                quick ? std::nullopt : std::optional(1.2));
  if (!quick) {
    publishSeries(alternate(held, parts, bare, 5, 15, std::chrono::seconds(1)), "... a second apart", parts,
                  std::nullopt);
  }
  publishSeries(alternate(held, parts, bare, 100, quick ? 1 : 9),
                fmt::format("full cycle, {} sockets, all changed", sockets), parts,
                quick ? std::nullopt : std::optional(2.5));
  return 0;
}
