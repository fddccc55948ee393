// The observation that `diagnose`, `advise` and `report` share: this machine for some seconds, another host, a whole
// recording, or a capture.
#pragma once

#include "app/cli/command_options.h"
#include "core/advice/path_sighting.h"
#include "core/present/json/connections_document.h"
#include "core/session/capture/capture_gap.h"
#include "core/session/recording_facts.h"

namespace tcpscope {

/// What is kept of each connection: what a verdict needs, or for the busiest also their history.
enum class WatchDepth : std::uint8_t { verdicts, histories };

struct ConnectionWatch {
  std::shared_ptr<const SessionSnapshot> snapshot;
  /// In the snapshot's order.
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  WallTime time;
  /// Connections beyond the details: those of a recording, a capture or another host would take too much memory.
  std::size_t withoutDetails = 0;
  /// Absent where it was none.
  std::optional<RecordingFacts> recording{};
  /// What they show of the paths from here; empty for other places.
  std::vector<PathSighting> paths{};
  /// Of a capture, what did not go into its analysis.
  std::vector<CaptureGap> captureGaps{};

  /// Of the snapshot, with what this left out.
  [[nodiscard]] std::vector<CollectionGap> gaps() const;
  /// The document without its connections.
  [[nodiscard]] ConnectionsDocument documentHead() const;
};

/// Of the source that the options name; an error was already printed.
Expected<ConnectionWatch, ExitCode> watchConnections(const CommandOptions& options, const ConnectionFilter& filter,
                                                     WatchDepth depth = WatchDepth::verdicts);
Expected<ConnectionWatch, ExitCode> watchRecordedConnections(const ConnectionFilter& filter, const std::string& file,
                                                             WatchDepth depth = WatchDepth::verdicts);

/// Absent where the file is a recording; an error was already printed, as was damage.
std::optional<Expected<ConnectionWatch, ExitCode>> readCapturedConnections(const ConnectionFilter& filter,
                                                                           const std::string& file, WatchDepth depth);

/// The details as one JSON document, or as a line each; not as text.
ExitCode writeDocument(const ConnectionWatch& watch, OutputForm form);

}  // namespace tcpscope
