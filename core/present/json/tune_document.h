// The JSON document `tcpscope.tune`: the socket options of one connection, what was changed, what was restored. The
// writer, and the reader beside it.
#pragma once

#include <optional>
#include <string>

#include "core/changes/change_report.h"
#include "core/changes/tune_report.h"
#include "core/session/change_proof.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct TuneDocument {
  const Place& place;
  const SocketObservation& socket;
  /// Null if unknown.
  const Owner* owner;
  const TuneReport& report;
  WallTime time;
  /// Gain of the change; null if it was not measured.
  const ChangeProof* proof = nullptr;
};

/// One document with a final newline.
std::string toJson(const TuneDocument& document);

/// A value as readTuneReport() gives it.
std::string reportedText(SocketOption option, const OptionValue& value);
/// The options and their changes, as a report of Content::options; nothing for what is not a document of this schema.
/// Values keep the unit of the document.
std::optional<ChangeReport> readTuneReport(std::string_view json);

/// The JSON Schema, as installed and tested.
std::string_view tuneSchema();

}  // namespace tcpscope
