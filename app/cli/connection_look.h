// The look at connections that `diagnose` and `advise` share: this machine for some seconds, another host, or a
// recording from its beginning to its end.
#pragma once

#include "app/cli/command_options.h"
#include "core/advice/path_sighting.h"
#include "core/present/json/connections_document.h"
#include "core/session/recording_facts.h"

namespace tcpscope {

/// What is kept of each connection: what a verdict needs, or for those that carry most also how everything changed.
enum class LookDepth : std::uint8_t { verdicts, histories };

struct ConnectionLook {
  std::shared_ptr<const SessionSnapshot> snapshot;
  /// In the snapshot's order.
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  WallTime time;
  /// Of a capture, that were not looked at one by one.
  std::size_t leftOut = 0;
  /// Absent where it was none.
  std::optional<RecordingFacts> recording{};
  /// What they show of the paths from here; empty for other places.
  std::vector<PathSighting> paths{};

  /// The document without its connections' advice.
  [[nodiscard]] ConnectionsDocument document() const;
};

/// Where the options say; an error was told already.
Expected<ConnectionLook, ExitCode> lookAtConnections(const CommandOptions& options, const ConnectionFilter& filter,
                                                     LookDepth depth = LookDepth::verdicts);
Expected<ConnectionLook, ExitCode> lookAtRecording(const ConnectionFilter& filter, const std::string& file,
                                                   LookDepth depth = LookDepth::verdicts);

}  // namespace tcpscope
