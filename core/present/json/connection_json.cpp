#include "core/present/json/connection_json.h"

#include "core/base/escape.h"
#include "core/model/current_rtt.h"

namespace tcpscope::json {

std::optional<Json> negotiatedOptions(const SocketObservation& socket) {
  const auto negotiated = pathOptionsOf(kernelEvidence(socket, {}, Side::sending));
  const bool settled = socket.state != TcpState::synSent && socket.state != TcpState::listen;
  if (!negotiated || !settled) return std::nullopt;
  return options(*negotiated);
}

std::string placeText(PlaceId place) {
  return std::to_string(place.number);
}

Json place(const Place& place) {
  Json object = {{"id", placeText(place.id)},
                 {"host", forPlainText(place.host)},
                 {"boot_id", forPlainText(place.bootId)},
                 {"network_namespace", forPlainText(place.networkNamespace)},
                 {"kernel", forPlainText(place.kernel)}};
  if (!place.recording.empty()) object["recording"] = forPlainText(place.recording);
  return object;
}

Json gap(const CollectionGap& gap) {
  return {{"place", placeText(gap.place)},
          {"kind", name(gap.kind)},
          {"count", gap.count},
          {"severity", name(severity(gap.kind))}};
}

Json connection(const ConnectionDetail& detail, const ConnectionAdvice* advice) {
  const SocketObservation& socket = detail.socket;
  Json object = {{"id", socket.id.toString()},
                 {"place", placeText(socket.id.place)},
                 {"local", socket.local.toString()},
                 {"remote", socket.remote.toString()},
                 {"state", name(socket.state)}};
  if (detail.row.closed) object["closed"] = true;
  if (detail.owner) object["process"] = process(*detail.owner);
  if (!socket.congestionControl.empty()) {
    object["congestion_control"] = forPlainText(socket.congestionControl.text());
  }
  if (std::optional<Json> options = negotiatedOptions(socket)) object["options"] = std::move(*options);
  object["metrics"] = metrics({socket, &detail.interval});
  if (const auto rtt = currentRtt(socket.info); rtt && rtt->isOld) object["rtt_is_old"] = true;
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  if (diagnosis.sending) {
    object["sending"] = side(*diagnosis.sending);
    const bool isAdvised = advice != nullptr && advice->sending;
    addTransferMetrics(object["sending"], transferMetrics(socket, detail.window),
                       isAdvised ? advice->sending->transferTimeRatio : std::nullopt);
  }
  if (diagnosis.receiving) object["receiving"] = side(*diagnosis.receiving);
  if (advice != nullptr && advice->sending) addAdvice(object["sending"], *advice->sending);
  if (advice != nullptr && advice->receiving) addAdvice(object["receiving"], *advice->receiving);
  object["verdict"] = verdict(diagnosis.verdict, diagnosis.bulk);
  return object;
}

}  // namespace tcpscope::json
