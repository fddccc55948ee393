// The contents of the engine's messages, each described once for writing and for reading (engine_message.h).
#pragma once

#include <vector>

#include "app/lab/engine/engine_message.h"
#include "app/lab/path/path_log.h"
#include "app/lab/traffic/transfer_record.h"
#include "collectors/pcap/live_capture.h"
#include "core/base/moment.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// The path's process is gone; errno where it said why.
LabError pathEnded(int errorNumber);

/// MessageKind::ready.
struct EngineReady {
  Moment startedAt;
  std::vector<SkippedTraffic> skipped;
};

/// MessageKind::pathReport.
struct PathAnswer {
  PathReport report;
  Count lostEvents;
};

/// MessageKind::capture.
struct CaptureQuestion {
  /// Index into the hosts of the path.
  std::size_t host = 0;
  LiveCaptureSettings settings;
};

MessageWriter encode(const LabError& error);
MessageWriter encode(const EngineReady& ready);
MessageWriter encode(const PathAnswer& answer);
MessageWriter encode(const CaptureQuestion& question);
MessageWriter encode(const LiveCaptureError& error);

/// Of a message with this content, of another kind, or damaged: then nothing.
std::optional<LabError> decodeLabError(std::string_view bytes);
std::optional<EngineReady> decodeReady(std::string_view bytes);
std::optional<PathAnswer> decodePathAnswer(std::string_view bytes);
std::optional<CaptureQuestion> decodeCaptureQuestion(std::string_view bytes);
std::optional<LiveCaptureError> decodeCaptureError(std::string_view bytes);
std::optional<MessageKind> kindOf(std::string_view bytes);

}  // namespace tcpscope::lab
