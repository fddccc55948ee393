// What a diagnostic report says, as values: chosen from everything that a look at connections found. HTML, PDF and JSON
// are made from it, so that they say the same.
//
// The connections that carry most come first; how many were left out is part of the report.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/advice/advice.h"
#include "core/base/sample_comparison.h"
#include "core/host/host_checkup.h"
#include "core/session/recording_facts.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// A setting that changed while somebody looked, and the goodput before it against that after it, of the same transfer.
struct MeasuredChange {
  ChangeMark mark;
  /// Of blocks of goodput in bit/s; absent where too little was seen on one side of the change.
  std::optional<SampleComparison> comparison;
};

struct ReportedConnection {
  std::shared_ptr<const ConnectionDetail> detail;
  ConnectionAdvice advice;
  std::vector<MeasuredChange> changes;
  /// What the packets of a capture show was agreed on; absent where a kernel told of the connection.
  std::optional<std::string> agreedOnByPackets{};
};

struct ReportModel {
  /// When what it tells was seen, at the end of the look.
  WallTime time;
  /// Of what made the report, and when it did; absent where nobody says.
  std::string programVersion;
  std::optional<WallTime> madeAt;
  /// That it tells of; absent where it tells of no recording.
  std::optional<RecordingFacts> recording;
  /// Names and addresses are placeholders.
  bool isAnonymous = false;
  ClockPair clock;
  std::vector<Place> places;
  std::vector<CollectionGap> gaps;
  /// Those that something was found about.
  std::vector<ListenerRow> listeners;
  /// In full, the one that carries most first.
  std::vector<ReportedConnection> connections;
  /// With data, and without, that are not among them.
  std::size_t activeLeftOut = 0;
  std::size_t idleLeftOut = 0;
  /// Of the host that made the report; absent where it looked at another one or at a file.
  std::optional<std::vector<CheckRow>> checkup;
};

/// So many connections are told in full.
inline constexpr std::size_t kMostReported = 6;

struct ReportInput {
  std::shared_ptr<const SessionSnapshot> snapshot;
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  WallTime time;
  std::string programVersion;
  AdviceGoal goal;
  std::optional<std::vector<CheckRow>> checkup{};
  /// Connections that nobody looked at one by one, beside `details`.
  std::size_t notLookedAt = 0;
  std::optional<WallTime> madeAt{};
  std::optional<RecordingFacts> recording{};
};

ReportModel makeReport(const ReportInput& input);

/// The order of a report: what moved most bytes on its bulk side while it was looked at comes first. Of the two ends of
/// one connection the one that is surer of what holds it back takes the first of their two places.
void orderForReport(std::span<std::shared_ptr<const ConnectionDetail>> details);

/// Key and value, escaped, of as many as a host has and few enough to be read; empty where they are not told.
std::vector<std::pair<std::string, std::string>> settingRows(const Place& place);

}  // namespace tcpscope
