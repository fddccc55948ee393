#include "core/wire/loss/bucket_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/proportion.h"

namespace tcpscope {

namespace {

constexpr std::size_t kPacketsAtMost = 65'536;

enum class Fate : std::uint8_t { arrived, lost, firstLostOfEvent };

struct Replay {
  std::vector<double> seconds;
  std::vector<Fate> fates;
  std::uint64_t events = 0;
  double arrived = 0.0;
};

Replay replayOf(std::span<const Moment> sent, std::span<const std::size_t> lost, Nanoseconds rtt) {
  Replay replay;
  replay.seconds.reserve(sent.size());
  for (const Moment time : sent) replay.seconds.push_back(toSeconds(time - sent.front()));
  replay.fates.assign(sent.size(), Fate::arrived);
  std::optional<Moment> start;
  for (const std::size_t index : lost) {
    if (index >= sent.size()) break;
    const bool isFirst = !start || sent[index] - *start > rtt;
    if (isFirst) start = sent[index];
    replay.events += isFirst ? 1U : 0U;
    replay.fates[index] = isFirst ? Fate::firstLostOfEvent : Fate::lost;
  }
  replay.arrived = static_cast<double>(std::count(replay.fates.begin(), replay.fates.end(), Fate::arrived));
  return replay;
}

/// A step of the bucket waits for the one before it; several rates beside each other do not wait for one another, and a
/// processor computes two and more of them at once.
constexpr std::size_t kRatesAtOnce = 8;
using Rates = std::array<double, kRatesAtOnce>;

/// What of the bucket is used at each packet, at each of the rates: `see(packet, used)`, before the packet takes its
/// own.
template <class See>
void fill(const Replay& replay, const Rates& rates, See see) {
  Rates used{};
  double last = 0.0;
  for (std::size_t packet = 0; packet < replay.seconds.size(); ++packet) {
    const double elapsed = replay.seconds[packet] - last;
    last = replay.seconds[packet];
    for (std::size_t rate = 0; rate < kRatesAtOnce; ++rate) {
      used[rate] = std::max(used[rate] - rates[rate] * elapsed, 0.0);
    }
    see(packet, used);
    const double taken = replay.fates[packet] == Fate::arrived ? 1.0 : 0.0;
    for (double& one : used) one += taken;
  }
}

/// Depth of the smallest bucket that lets through all that arrived: the most that arrived in any time beyond the rate.
Rates smallestDepths(const Replay& replay, const Rates& rates) {
  Rates most{};
  fill(replay, rates, [&](std::size_t packet, const Rates& used) {
    const double taken = replay.fates[packet] == Fate::arrived ? 1.0 : 0.0;
    for (std::size_t rate = 0; rate < kRatesAtOnce; ++rate) most[rate] = std::max(most[rate], used[rate] + taken);
  });
  return most;
}

std::array<BucketFit, kRatesAtOnce> fitsAt(const Replay& replay, const Rates& rates) {
  const Rates depths = smallestDepths(replay, rates);
  Rates empty{};
  // A machine that does other things sends some packets late.
  for (std::size_t rate = 0; rate < kRatesAtOnce; ++rate) empty[rate] = depths[rate] - 2.0 - 0.1 * depths[rate];
  Rates packetsAtEmpty{};
  Rates eventsAtEmpty{};
  fill(replay, rates, [&](std::size_t packet, const Rates& used) {
    const double event = replay.fates[packet] == Fate::firstLostOfEvent ? 1.0 : 0.0;
    for (std::size_t rate = 0; rate < kRatesAtOnce; ++rate) {
      const double isEmpty = used[rate] >= empty[rate] ? 1.0 : 0.0;
      packetsAtEmpty[rate] += isEmpty;
      eventsAtEmpty[rate] += isEmpty * event;
    }
  });
  std::array<BucketFit, kRatesAtOnce> fits;
  for (std::size_t rate = 0; rate < kRatesAtOnce; ++rate) {
    BucketFit& fit = fits[rate];
    fit.packetsPerSecond = rates[rate];
    fit.depthPackets = depths[rate];
    fit.events = replay.events;
    fit.eventsAtEmpty = static_cast<std::uint64_t>(eventsAtEmpty[rate]);
    fit.packetsAtEmptyRatio = packetsAtEmpty[rate] / static_cast<double>(replay.seconds.size());
  }
  return fits;
}

/// How much more often events than packets find the bucket empty.
double meritOf(const BucketFit& fit) {
  return static_cast<double>(fit.eventsAtEmpty) / static_cast<double>(fit.events) - fit.packetsAtEmptyRatio;
}

BucketFit bestOf(const Replay& replay, double fromRate, double toRate, double step) {
  std::optional<BucketFit> best;
  for (double next = fromRate; next <= toRate || !best;) {
    Rates rates;
    for (double& rate : rates) {
      rate = next;
      next *= step;
    }
    for (const BucketFit& fit : fitsAt(replay, rates)) {
      const bool isAsked = fit.packetsPerSecond <= toRate || !best;
      if (isAsked && (!best || meritOf(fit) > meritOf(*best))) best = fit;
    }
  }
  return *best;
}

}  // namespace

Nanoseconds BucketFit::depth() const {
  return Nanoseconds(std::llround(depthPackets / packetsPerSecond * 1e9));
}

double BucketFit::sureness() const {
  constexpr double kSomeDepth = 10.0;
  constexpr double kSeldomEmpty = 0.25;
  const auto interval = proportionInterval95(eventsAtEmpty, events);
  const bool distinguishes = depthPackets >= kSomeDepth && packetsAtEmptyRatio <= kSeldomEmpty;
  return distinguishes && interval ? interval->low : 0.0;
}

std::optional<BucketFit> fitBucket(std::span<const Moment> sent, std::span<const std::size_t> lost, Nanoseconds rtt) {
  if (sent.empty() || rtt <= Nanoseconds(0)) return std::nullopt;
  const Replay replay = replayOf(sent.first(std::min(sent.size(), kPacketsAtMost)), lost, rtt);
  const double span = replay.seconds.back();
  if (replay.events == 0 || replay.arrived == 0.0 || span <= 0.0) return std::nullopt;
  // What arrived on average is the least that it lets through; a sender that halves its window uses half of it and
  // more.
  constexpr double kWidest = 3.0;
  constexpr double kCoarse = 1.03;
  constexpr double kFine = 1.004;
  const double mean = replay.arrived / span;
  const double rate = bestOf(replay, mean, kWidest * mean, kCoarse).packetsPerSecond;
  return bestOf(replay, rate / kCoarse, rate * kCoarse, kFine);
}

}  // namespace tcpscope
