#include "core/present/json/capture_document.h"

#include <utility>

#include "core/base/escape.h"
#include "core/present/json/capture_direction_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/text/capture_text.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {
namespace {

using json::Json;

constexpr int kCaptureSchemaVersion = 1;

Json fileJson(const CapturedFile& file) {
  Json object = {{"name", forPlainText(file.name)}};
  if (file.format == FileFormat::pcap || file.format == FileFormat::pcapng) object["format"] = title(file.format);
  object["packets"] = file.packets;
  object["tcp_packets"] = file.segments;
  if (file.firstTime) object["start_time"] = json::timeText(*file.firstTime);
  if (file.firstTime && file.lastTime) object["duration_s"] = toSeconds(*file.lastTime - *file.firstTime);
  object["capture"] = file.capture;
  return object;
}

Json gapJson(const CaptureGap& gap, std::size_t file) {
  Json object = {
      {"file", file}, {"kind", name(gap.kind)}, {"count", gap.count}, {"severity", name(severity(gap.kind))}};
  if (gap.offset) object["offset_bytes"] = *gap.offset;
  if (gap.linkType) object["link_type"] = *gap.linkType;
  object["text"] = sentence(gap);
  return object;
}

Json connectionJson(const ConnectionAnalysis& analysis, std::size_t file) {
  const ConnectionSummary& flow = analysis.flow;
  Json object = {{"local", flow.initiator.toString()},
                 {"remote", flow.responder.toString()},
                 {"file", file},
                 {"start_time", json::timeText(flow.firstTime)},
                 {"duration_s", toSeconds(flow.lastTime - flow.firstTime)},
                 {"handshake_seen", flow.handshakeSeen},
                 {"initiator_sure", flow.initiatorIsSure},
                 {"vantage", name(flow.vantage)}};
  if (flow.handshakeRtt) object["handshake_rtt_us"] = json::microseconds(*flow.handshakeRtt);
  if (flow.connectTime) object["connect_us"] = json::microseconds(*flow.connectTime);
  if (flow.firstByteTime) object["first_byte_us"] = json::microseconds(*flow.firstByteTime);
  if (flow.timeSteps > Count(0)) object["backward_time_steps"] = flow.timeSteps.value();
  object["directions"] = {json::captureDirection(analysis, 0), json::captureDirection(analysis, 1)};
  const SideDiagnosis& bulk = analysis.directions[analysis.bulk].diagnosis;
  object["bulk_direction"] = analysis.bulk;
  object["verdict"] = json::verdict(bulk.verdict, bulk.side);
  return object;
}

Json openingsJson(const DestinationOpenings& openings) {
  Json object = {{"remote", openings.remote.toString()},
                 {"opened", openings.opened},
                 {"syn_retransmitted", openings.repeated},
                 {"refused", openings.refused},
                 {"unanswered", openings.unanswered}};
  if (openings.connect) object["connect"] = json::rttJson(*openings.connect);
  if (openings.firstByte) object["first_byte"] = json::rttJson(*openings.firstByte);
  return object;
}

}  // namespace

std::string CaptureDocumentPieces::begin(const std::vector<CapturedFile>& files) {
  m_isFirst = true;
  m_openings = {};
  Json gaps = Json::array();
  for (std::size_t index = 0; index < files.size(); ++index) {
    for (const CaptureGap& gap : gapsOf(files[index])) gaps.push_back(gapJson(gap, index));
  }
  Json json = {{"schema", "tcpscope.capture"},
               {"schema_version", kCaptureSchemaVersion},
               {"files", json::arrayOf(files, fileJson)},
               {"gaps", std::move(gaps)}};
  if (m_form == CaptureForm::lines) return json::compact(json) + "\n";
  json["connections"] = Json::array();
  std::string text = json::compact(json);
  // The array of connections stays open: without "]}".
  text.resize(text.size() - 2);
  return text;
}

CaptureConnectionPiece captureConnectionPiece(const ConnectionAnalysis& analysis, std::size_t file) {
  return {json::compact(connectionJson(analysis, file)), openingOf(analysis)};
}

std::string CaptureDocumentPieces::connection(const CaptureConnectionPiece& piece) {
  m_openings.add(piece.opening);
  if (m_form == CaptureForm::lines) return piece.text + "\n";
  return std::exchange(m_isFirst, false) ? piece.text : "," + piece.text;
}

std::string CaptureDocumentPieces::end() const {
  Json json = {{"destinations", json::arrayOf(m_openings.worstFirst(), openingsJson)}};
  if (m_openings.leftOut() > 0) json["destinations_left_out"] = m_openings.leftOut();
  if (m_form == CaptureForm::lines) return json::compact(json) + "\n";
  // Goes on behind the connections: without "{".
  return "]," + json::compact(json).substr(1) + "\n";
}

}  // namespace tcpscope
