#include "core/wire/loss/bucket_fit.h"

#include <algorithm>
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

/// Depth of the smallest bucket that lets through all that arrived: the most that arrived in any time beyond the rate.
double smallestDepth(const Replay& replay, double rate) {
  double used = 0.0;
  double most = 0.0;
  double last = 0.0;
  for (std::size_t packet = 0; packet < replay.seconds.size(); ++packet) {
    used = std::max(used - rate * (replay.seconds[packet] - last), 0.0);
    last = replay.seconds[packet];
    if (replay.fates[packet] == Fate::arrived) used += 1.0;
    most = std::max(most, used);
  }
  return most;
}

BucketFit fitAt(const Replay& replay, double rate) {
  BucketFit fit;
  fit.packetsPerSecond = rate;
  fit.depthPackets = smallestDepth(replay, rate);
  fit.events = replay.events;
  // A machine that does other things sends some packets late.
  const double empty = fit.depthPackets - 2.0 - 0.1 * fit.depthPackets;
  double used = 0.0;
  double last = 0.0;
  std::uint64_t packetsAtEmpty = 0;
  for (std::size_t packet = 0; packet < replay.seconds.size(); ++packet) {
    used = std::max(used - rate * (replay.seconds[packet] - last), 0.0);
    last = replay.seconds[packet];
    const bool isEmpty = used >= empty;
    packetsAtEmpty += isEmpty ? 1U : 0U;
    if (isEmpty && replay.fates[packet] == Fate::firstLostOfEvent) ++fit.eventsAtEmpty;
    if (replay.fates[packet] == Fate::arrived) used += 1.0;
  }
  fit.packetsAtEmptyRatio = static_cast<double>(packetsAtEmpty) / static_cast<double>(replay.seconds.size());
  return fit;
}

/// How much more often events than packets find the bucket empty.
double meritOf(const BucketFit& fit) {
  return static_cast<double>(fit.eventsAtEmpty) / static_cast<double>(fit.events) - fit.packetsAtEmptyRatio;
}

BucketFit bestOf(const Replay& replay, double fromRate, double toRate, double step) {
  BucketFit best = fitAt(replay, fromRate);
  for (double rate = fromRate * step; rate <= toRate; rate *= step) {
    const BucketFit fit = fitAt(replay, rate);
    if (meritOf(fit) > meritOf(best)) best = fit;
  }
  return best;
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
