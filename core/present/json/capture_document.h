// The JSON document `tcpscope.capture`: what the packets of captures show of their connections.
//
// Made in pieces, so that a capture with many thousand connections is never held as text: begin(), each connection,
// end().
#pragma once

#include <string>
#include <vector>

#include "core/session/capture/captured_file.h"
#include "core/session/capture/connection_analysis.h"
#include "core/session/capture/destination_openings.h"

namespace tcpscope {

class CaptureDocumentPieces {
public:
  std::string begin(const std::vector<CapturedFile>& files);
  /// `file`: the position in `files` of the one in which the connection begins.
  std::string connection(const ConnectionAnalysis& analysis, std::size_t file);
  /// How long they took to open, by destination.
  std::string end() const;

private:
  bool m_isFirst = true;
  OpeningTally m_openings;
};

/// The JSON Schema, as installed and tested.
std::string_view captureSchema();

}  // namespace tcpscope
