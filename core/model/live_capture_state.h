// How a live capture of a connection's packets stands: everything that its user has to know beside the packets.
// Sentences are made in core/present/text/capture_text.h.
#pragma once

#include <optional>
#include <string>

#include "core/base/system_error.h"
#include "core/base/units.h"
#include "core/model/connection_id.h"
#include "core/model/live_capture_error.h"

namespace tcpscope {

enum class LiveCapturePhase : std::uint8_t { starting, running, ended, failed };

/// State of the request to write the packets into a file.
struct SavedCapture {
  /// Number of the request.
  std::uint32_t number = 0;
  UntrustedText file;
  std::uint64_t packets = 0;
  std::optional<SystemError> error;
};

struct LiveCaptureState {
  /// Number of the request that it fulfils.
  std::uint32_t number = 0;
  ConnectionId connection;
  LiveCapturePhase phase = LiveCapturePhase::starting;
  /// Why it failed.
  std::optional<LiveCaptureError> error{};
  std::string interface {};
  bool isThroughDumpcap = false;
  /// That passed the filter.
  std::uint64_t packets = 0;
  /// Of them, those of the connection.
  std::uint64_t connectionPackets = 0;
  /// Lost before they could be captured; nothing if not reported, as by dumpcap before its end.
  std::optional<std::uint64_t> dropped{};
  /// The oldest, which found no room any more.
  std::uint64_t discarded = 0;
  /// How wrong the place of the packets on the kernel's time axis may be; absent where another machine stamped them.
  std::optional<Nanoseconds> clockError{};
  /// How far the wall clock, which stamps packets, was set since the start of the capture.
  Nanoseconds clockStep{0};
  std::optional<SavedCapture> saved{};
};

}  // namespace tcpscope
