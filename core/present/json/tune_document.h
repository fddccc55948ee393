// The JSON document `tcpscope.tune`: the socket options of one connection, what was changed, what was restored.
#pragma once

#include <string>

#include "core/changes/tune_report.h"
#include "core/session/change_proof.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct TuneDocument {
  const Place& place;
  const SocketObservation& socket;
  /// Null where it is not known.
  const Owner* owner;
  const TuneReport& report;
  WallTime time;
  /// What the change brought; null where it was not measured.
  const ChangeProof* proof = nullptr;
};

/// One document with a final newline.
std::string toJson(const TuneDocument& document);

/// The JSON Schema, as installed and tested.
std::string_view tuneSchema();

}  // namespace tcpscope
