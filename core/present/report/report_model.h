// The model of a diagnostic report, as values chosen from everything that an observation found. HTML, PDF and JSON
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
#include "core/present/report/report_cover.h"
#include "core/session/capture/capture_gap.h"
#include "core/session/recording_facts.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// A setting that changed during the observation, with the goodput of the same transfer before and after.
struct MeasuredChange {
  ChangeMark mark;
  /// Of blocks of goodput in bit/s; absent where too little was seen on one side of the change.
  std::optional<SampleComparison> comparison;
};

struct ReportedConnection {
  std::shared_ptr<const ConnectionDetail> detail;
  ConnectionAdvice advice;
  std::vector<MeasuredChange> changes;
  /// What the packets of a capture show was negotiated; absent where a kernel reported the connection.
  std::optional<std::string> negotiatedByPackets{};
};

struct ReportModel {
  /// The end of the observation.
  WallTime time;
  /// Version of the program that made the report, and when; absent where unknown.
  std::string programVersion;
  std::optional<WallTime> madeAt;
  /// The recording that it reports on; absent for live data and captures.
  std::optional<RecordingFacts> recording;
  /// Names and addresses are placeholders.
  bool isAnonymous = false;
  ClockPair clock;
  std::vector<Place> places;
  std::vector<CollectionGap> gaps;
  /// Of a capture, what did not go into its analysis.
  std::vector<CaptureGap> captureGaps;
  /// Those with findings.
  std::vector<ListenerRow> listeners;
  /// In full, the one that carries most first.
  std::vector<ReportedConnection> connections;
  /// With data, and without, that are not among them.
  std::size_t activeLeftOut = 0;
  std::size_t idleLeftOut = 0;
  /// Check-up of this host; absent where another host or a file was observed.
  std::optional<std::vector<CheckRow>> checkup;
  ReportCover cover{};
};

/// This many connections are reported in full.
inline constexpr std::size_t kMostReported = 6;

struct ReportInput {
  std::shared_ptr<const SessionSnapshot> snapshot;
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  WallTime time;
  std::string programVersion;
  AdviceGoal goal;
  std::optional<std::vector<CheckRow>> checkup{};
  /// Connections without details, beside `details`.
  std::size_t withoutDetail = 0;
  std::optional<WallTime> madeAt{};
  std::optional<RecordingFacts> recording{};
  ReportCover cover{};
  std::vector<CaptureGap> captureGaps{};
};

ReportModel makeReport(const ReportInput& input);

/// The order of a report: the connection that moved most bytes on its bulk side comes first. Of the two ends of one
/// connection, the one whose verdict has the higher confidence takes the first of their two places.
void orderForReport(std::span<std::shared_ptr<const ConnectionDetail>> details);

/// Key and value, escaped, of as many as a host has and few enough to be read; empty where they are not reported.
std::vector<std::pair<std::string, std::string>> settingRows(const Place& place);

}  // namespace tcpscope
