// The look at connections that `diagnose` and `advise` share: this machine for some seconds, another host, or a
// recording from its beginning to its end.
#pragma once

#include "app/cli/command_options.h"
#include "core/report/connections_document.h"

namespace tcpscope {

struct ConnectionLook {
  std::shared_ptr<const SessionSnapshot> snapshot;
  /// In the snapshot's order.
  std::vector<std::shared_ptr<const ConnectionDetail>> details;
  WallTime time;

  /// The document without its connections' advice.
  [[nodiscard]] ConnectionsDocument document() const;
};

/// Where the options say; an error was told already.
Expected<ConnectionLook, ExitCode> lookAtConnections(const CommandOptions& options, const ConnectionFilter& filter);
Expected<ConnectionLook, ExitCode> lookAtRecording(const ConnectionFilter& filter, const std::string& file);

}  // namespace tcpscope
