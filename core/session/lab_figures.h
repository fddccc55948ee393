// What a run of the lab measured, and what many runs of a grid come to.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/sample_summary.h"
#include "core/base/units.h"

namespace tcpscope::lab {

/// One group of connections over the measured span.
struct TrafficFigures {
  std::string name;
  std::size_t connections = 0;
  BitsPerSecond goodput;
  /// Max-min fair share of the whole group; absent where nothing bounds it.
  std::optional<BitsPerSecond> fairShare;
  /// From the connection's start to its last byte, of those that had an end, in seconds.
  std::vector<double> completionSeconds;
};

/// What the programs of one host cost it.
struct HostFigures {
  std::string name;
  /// User and system time of its programs, of one processor. What the kernel does for packets that arrive is not in it.
  std::optional<double> cpuRatio;
  /// The same time, by what they sent and received; absent without a byte.
  std::optional<double> cpuNanosecondsPerByte;
  /// Send and receive queues of its sockets together, as sampled from the lab's start.
  std::optional<Bytes> socketMemoryPeak;
};

/// How late packets left the emulated path: what the machine could not do. From the start of the lab.
struct PathLateness {
  /// One packet in a thousand was as late as this or later.
  Nanoseconds p999{0};
  Nanoseconds worst{0};
};

/// The path was another one than the scenario's: packets were bunched, or met another queue.
constexpr bool isLate(const PathLateness& lateness) {
  constexpr Milliseconds kLate{2};
  return lateness.p999 > kLate;
}

struct LabFigures {
  /// Of all traffic, as the receiving programs read it.
  BitsPerSecond goodput;
  /// Of the path's rate in the direction of the traffic; absent without a rate.
  std::optional<double> utilizationRatio;
  /// Jain's index over measured / fair share; absent for a single connection.
  std::optional<double> jainFairnessRatio;
  /// From the first start to the last finish, where all of the traffic has an end and reached it.
  std::optional<double> completionSeconds;
  std::uint64_t drops = 0;
  std::uint64_t marks = 0;
  Bytes queuePeak;
  std::vector<TrafficFigures> traffic;
  /// Of the hosts with programs.
  std::vector<HostFigures> hosts;
  /// Between the drops of the path, in mean RTTs of the traffic without any queue.
  std::vector<double> dropIntervalsRtt;
  PathLateness lateness;
};

/// The figures of a run under the keys of the documents, those of a group as "goodput_bps.GROUP", of a host
/// as "cpu_ratio.HOST".
std::vector<std::pair<std::string, double>> namedFigures(const LabFigures& figures);

struct LabSetting {
  std::string key;
  std::string value;
};

/// A figure of one run.
struct RunValue {
  /// From 1, in their order; late runs have a number, too.
  std::size_t run = 0;
  double value = 0.0;
};

/// One point of the grid.
struct LabCell {
  std::vector<LabSetting> settings;
  std::size_t runs = 0;
  /// Of these, the runs whose path was late: no figure is of them.
  std::size_t lateRuns = 0;
  /// The largest of the late runs.
  PathLateness lateness;
  /// In the order of namedFigures; a figure that no run had is absent.
  std::vector<std::pair<std::string, SampleSummary>> figures;
  /// Of all runs that have figures, one after the other.
  std::vector<double> dropIntervalsRtt;
  /// What `figures` summarize, under the same keys: a number a run and figure.
  std::vector<std::pair<std::string, std::vector<RunValue>>> runValues;

  /// Null where no run had it.
  [[nodiscard]] const SampleSummary* figure(std::string_view key) const;
  /// Empty where no run had it.
  [[nodiscard]] std::span<const RunValue> valuesOf(std::string_view key) const;
};

/// Of several runs those over a late path are left out; a run alone keeps its figures.
enum class LateRuns : std::uint8_t { leftOut, kept };
LabCell cellOf(std::vector<LabSetting> settings, const std::vector<LabFigures>& runs,
               LateRuns late = LateRuns::leftOut);
/// Late runs were left out, and no other run has figures.
bool isWithoutFigures(const std::vector<LabCell>& cells);

}  // namespace tcpscope::lab
