#include "core/present/json/capture_document.h"

#include <array>
#include <utility>

#include "core/base/escape.h"
#include "core/present/json/capture_direction_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/text/capture_text.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {
namespace {

using json::JsonWriter;

constexpr int kCaptureSchemaVersion = 1;

void fileJson(JsonWriter& out, const CapturedFile& file) {
  out.object([&] {
    out.member("name", forPlainText(file.name));
    if (file.format == FileFormat::pcap || file.format == FileFormat::pcapng) out.member("format", title(file.format));
    out.member("packets", file.packets);
    out.member("tcp_packets", file.segments);
    if (file.firstTime) out.member("start_time", json::timeText(*file.firstTime));
    if (file.firstTime && file.lastTime) out.member("duration_s", toSeconds(*file.lastTime - *file.firstTime));
    out.member("capture", file.capture);
  });
}

void gapJson(JsonWriter& out, const CaptureGap& gap, std::size_t file) {
  out.object([&] {
    out.member("file", file);
    json::captureGapMembers(out, gap);
  });
}

void gapsMember(JsonWriter& out, const std::vector<CapturedFile>& files) {
  out.key("gaps");
  out.beginArray();
  for (std::size_t index = 0; index < files.size(); ++index) {
    for (const CaptureGap& gap : gapsOf(files[index])) gapJson(out, gap, index);
  }
  out.endArray();
}

void connectionJson(JsonWriter& out, const ConnectionAnalysis& analysis, std::size_t file) {
  const ConnectionSummary& flow = analysis.flow;
  const auto timeMember = [&out](std::string_view key, const std::optional<Nanoseconds>& span) {
    if (span) out.member(key, json::microseconds(*span));
  };
  out.object([&] {
    out.member("local", flow.initiator.toString());
    out.member("remote", flow.responder.toString());
    out.member("file", file);
    out.member("start_time", json::timeText(flow.firstTime));
    out.member("duration_s", toSeconds(flow.lastTime - flow.firstTime));
    out.member("handshake_seen", flow.handshakeSeen);
    out.member("initiator_sure", flow.initiatorIsSure);
    out.member("vantage", name(flow.vantage));
    timeMember("handshake_rtt_us", flow.handshakeRtt);
    timeMember("connect_us", flow.connectTime);
    timeMember("first_byte_us", flow.firstByteTime);
    if (flow.timeSteps > Count(0)) out.member("backward_time_steps", flow.timeSteps);
    out.array("directions", std::array<std::size_t, 2>{0, 1},
              [&](std::size_t direction) { json::captureDirection(out, analysis, direction); });
    const SideDiagnosis& bulk = analysis.directions[analysis.bulk].diagnosis;
    out.member("bulk_direction", analysis.bulk);
    out.member("verdict", [&] { json::verdict(out, bulk.verdict, bulk.side); });
  });
}

void openingsJson(JsonWriter& out, const DestinationOpenings& openings) {
  out.object([&] {
    out.member("remote", openings.remote.toString());
    out.member("opened", openings.opened);
    out.member("syn_retransmitted", openings.repeated);
    out.member("refused", openings.refused);
    out.member("unanswered", openings.unanswered);
    if (openings.connect) out.member("connect", [&] { json::rttJson(out, *openings.connect); });
    if (openings.firstByte) out.member("first_byte", [&] { json::rttJson(out, *openings.firstByte); });
  });
}

}  // namespace

void json::captureGapMembers(JsonWriter& out, const CaptureGap& gap) {
  out.member("kind", name(gap.kind));
  out.member("count", gap.count);
  out.member("severity", name(severity(gap.kind)));
  out.member("offset_bytes", gap.offset);
  out.member("link_type", gap.linkType);
  out.member("text", sentence(gap));
}

std::string CaptureDocumentPieces::begin(const std::vector<CapturedFile>& files) {
  m_isFirst = true;
  m_openings = {};
  JsonWriter out;
  out.beginObject();
  json::schemaMembers(out, "tcpscope.capture", kCaptureSchemaVersion);
  out.array("files", files, [&](const CapturedFile& file) { fileJson(out, file); });
  gapsMember(out, files);
  if (m_form == CaptureForm::lines) {
    out.endObject();
    return out.text() + "\n";
  }
  out.key("connections");
  out.beginArray();
  return out.text();
}

CaptureConnectionPiece captureConnectionPiece(const ConnectionAnalysis& analysis, std::size_t file) {
  JsonWriter out;
  connectionJson(out, analysis, file);
  return {out.text(), openingOf(analysis)};
}

std::string CaptureDocumentPieces::connection(const CaptureConnectionPiece& piece) {
  m_openings.add(piece.opening);
  if (m_form == CaptureForm::lines) return piece.text + "\n";
  return std::exchange(m_isFirst, false) ? piece.text : "," + piece.text;
}

std::string CaptureDocumentPieces::end() const {
  const std::string text = json::line([this](JsonWriter& out) {
    out.array("destinations", m_openings.worstFirst(),
              [&](const DestinationOpenings& openings) { openingsJson(out, openings); });
    if (m_openings.leftOut() > 0) out.member("destinations_left_out", m_openings.leftOut());
  });
  // Goes on behind the connections: without "{".
  return m_form == CaptureForm::lines ? text : "]," + text.substr(1);
}

}  // namespace tcpscope
