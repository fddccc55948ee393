// The JSON document `tcpscope.capture`: what the packets of captures show of their connections.
//
// Made in pieces, so that a capture with many thousand connections is never held as text: begin(), each connection,
// end().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/present/json/json_writer.h"
#include "core/session/capture/capture_gap.h"
#include "core/session/capture/captured_file.h"
#include "core/session/capture/connection_analysis.h"
#include "core/session/capture/destination_openings.h"

namespace tcpscope {

enum class CaptureForm : std::uint8_t {
  /// One object with an array of connections.
  document,
  /// One object a line: the files, each connection, the destinations.
  lines,
};

/// A connection of the document. Made apart from it, on any thread.
struct CaptureConnectionPiece {
  std::string text;
  ConnectionOpening opening;
};
/// `file`: the position in the document's files of the one in which the connection begins.
CaptureConnectionPiece captureConnectionPiece(const ConnectionAnalysis& analysis, std::size_t file);

class CaptureDocumentPieces {
public:
  explicit CaptureDocumentPieces(CaptureForm form = CaptureForm::document) : m_form(form) {}

  std::string begin(const std::vector<CapturedFile>& files);
  /// In the order of the document.
  std::string connection(const CaptureConnectionPiece& piece);
  /// How long they took to open, by destination.
  std::string end() const;

private:
  CaptureForm m_form;
  bool m_isFirst = true;
  OpeningTally m_openings;
};

namespace json {

void captureGapMembers(JsonWriter& out, const CaptureGap& gap);

}  // namespace json

/// The JSON Schema, as installed and tested.
std::string_view captureSchema();

}  // namespace tcpscope
