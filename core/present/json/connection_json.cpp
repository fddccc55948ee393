#include "core/present/json/connection_json.h"

#include "core/base/escape.h"
#include "core/model/current_rtt.h"

namespace tcpscope::json {

namespace {

void sendingMembers(JsonWriter& out, const ConnectionDetail& detail, const SideAdvice* advice) {
  if (detail.diagnosis.sending) {
    sideMembers(out, *detail.diagnosis.sending);
    const auto timeRatio = advice != nullptr ? advice->transferTimeRatio : std::nullopt;
    transferMetricsMembers(out, transferMetrics(detail.socket, detail.window), timeRatio);
  }
  if (advice != nullptr) adviceMembers(out, *advice);
}

void receivingMembers(JsonWriter& out, const ConnectionDetail& detail, const SideAdvice* advice) {
  if (detail.diagnosis.receiving) sideMembers(out, *detail.diagnosis.receiving);
  if (advice != nullptr) adviceMembers(out, *advice);
}

const SideAdvice* given(const std::optional<SideAdvice>& advice) {
  return advice ? &*advice : nullptr;
}

}  // namespace

void negotiatedOptionsMember(JsonWriter& out, const SocketObservation& socket) {
  const auto negotiated = pathOptionsOf(kernelEvidence(socket, {}, Side::sending));
  const bool settled = socket.state != TcpState::synSent && socket.state != TcpState::listen;
  if (negotiated && settled) out.member("options", [&] { options(out, *negotiated); });
}

std::string placeText(PlaceId place) {
  return std::to_string(place.number);
}

void place(JsonWriter& out, const Place& place) {
  out.object([&] {
    out.member("id", placeText(place.id));
    out.member("host", forPlainText(place.host));
    out.member("boot_id", forPlainText(place.bootId));
    out.member("network_namespace", forPlainText(place.namespaceLabel()));
    out.member("kernel", forPlainText(place.kernel));
    if (!place.recording.empty()) out.member("recording", forPlainText(place.recording));
  });
}

void gapMembers(JsonWriter& out, const CollectionGap& gap) {
  out.member("kind", name(gap.kind));
  out.member("count", gap.count);
  out.member("severity", name(severity(gap.kind)));
}

void gap(JsonWriter& out, const CollectionGap& gap) {
  out.object([&] {
    out.member("place", placeText(gap.place));
    gapMembers(out, gap);
  });
}

void socketMembers(JsonWriter& out, const SocketObservation& socket) {
  out.member("id", socket.id.toString());
  out.member("place", placeText(socket.id.place));
  out.member("local", socket.local.toString());
  out.member("remote", socket.remote.toString());
  out.member("state", name(socket.state));
}

void connectionMembers(JsonWriter& out, const ConnectionDetail& detail, const ConnectionAdvice* advice) {
  const SocketObservation& socket = detail.socket;
  socketMembers(out, socket);
  if (detail.row.closed) out.member("closed", true);
  if (detail.owner) out.member("process", [&] { process(out, *detail.owner); });
  if (!socket.congestionControl.empty()) {
    out.member("congestion_control", forPlainText(socket.congestionControl.text()));
  }
  negotiatedOptionsMember(out, socket);
  out.member("metrics", [&] { metrics(out, {socket, &detail.interval}); });
  if (const auto rtt = currentRtt(socket.info); rtt && rtt->isOld) out.member("rtt_is_old", true);
  const SideAdvice* const sending = advice == nullptr ? nullptr : given(advice->sending);
  const SideAdvice* const receiving = advice == nullptr ? nullptr : given(advice->receiving);
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  if (diagnosis.sending || sending != nullptr) {
    out.object("sending", [&] { sendingMembers(out, detail, sending); });
  }
  if (diagnosis.receiving || receiving != nullptr) {
    out.object("receiving", [&] { receivingMembers(out, detail, receiving); });
  }
  out.member("verdict", [&] { verdict(out, diagnosis.verdict, diagnosis.bulk); });
}

void connection(JsonWriter& out, const ConnectionDetail& detail, const ConnectionAdvice* advice) {
  out.object([&] { connectionMembers(out, detail, advice); });
}

}  // namespace tcpscope::json
