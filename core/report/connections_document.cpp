#include "core/report/connections_document.h"

#include "core/report/json_values.h"
#include "core/text/escape.h"

namespace tcpscope {
namespace {

using json::Json;

constexpr int kSchemaVersion = 1;

std::string placeText(PlaceId place) {
  return std::to_string(place.number);
}

Json placeJson(const Place& place) {
  return {{"id", placeText(place.id)},
          {"host", forPlainText(place.host)},
          {"boot_id", forPlainText(place.bootId)},
          {"network_namespace", forPlainText(place.networkNamespace)},
          {"kernel", forPlainText(place.kernel)}};
}

Json gapJson(const CollectionGap& gap) {
  return {{"place", placeText(gap.place)},
          {"kind", name(gap.kind)},
          {"count", gap.count},
          {"severity", name(severity(gap.kind))}};
}

Json listenerJson(const ListenerRow& listener) {
  Json object = {
      {"id", listener.id.toString()}, {"place", placeText(listener.id.place)}, {"local", listener.local.toString()}};
  if (listener.owner) object["process"] = json::process(*listener.owner);
  object["accept_queue"] = listener.acceptQueue;
  object["backlog"] = listener.backlog;
  object["findings"] = Json::array();
  for (const Finding& finding : listener.findings) {
    object["findings"].push_back(json::finding(finding, Side::receiving));
  }
  return object;
}

/// Absent where the kernel sent no TCP_INFO, and before the handshake has settled anything.
std::optional<Json> optionsJson(const SocketObservation& socket) {
  const TcpInfoSample& info = socket.info;
  const std::optional<TcpOptions> options = info.options();
  const bool settled = socket.state != TcpState::synSent && socket.state != TcpState::listen;
  if (!options || !settled) return std::nullopt;
  Json object = {{"sack", options->sack()}, {"timestamps", options->timestamps()}};
  if (options->windowScale()) {
    object["send_window_scale"] = info.sndWscale()->value();
    object["receive_window_scale"] = info.rcvWscale()->value();
  }
  if (const auto segment = info.sndMss()) object["mss_bytes"] = segment->value();
  object["ecn"] = options->ecn();
  return object;
}

Json connectionJson(const ConnectionDetail& detail) {
  const SocketObservation& socket = detail.socket;
  Json object = {{"id", socket.id.toString()},
                 {"place", placeText(socket.id.place)},
                 {"local", socket.local.toString()},
                 {"remote", socket.remote.toString()},
                 {"state", name(socket.state)}};
  if (detail.row.closed) object["closed"] = true;
  if (detail.owner) object["process"] = json::process(*detail.owner);
  if (!socket.congestionControl.empty()) {
    object["congestion_control"] = forPlainText(socket.congestionControl.text());
  }
  if (std::optional<Json> options = optionsJson(socket)) object["options"] = std::move(*options);
  object["metrics"] = json::metrics({socket, &detail.interval});
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  if (diagnosis.sending) object["sending"] = json::side(*diagnosis.sending);
  if (diagnosis.receiving) object["receiving"] = json::side(*diagnosis.receiving);
  object["verdict"] = json::verdict(diagnosis.verdict, diagnosis.bulk);
  return object;
}

std::string_view name(SampleEvent event) {
  switch (event) {
    case SampleEvent::sample:
      return "sample";
    case SampleEvent::opened:
      return "opened";
    case SampleEvent::closed:
      return "closed";
    case SampleEvent::gap:
      return "gap";
    case SampleEvent::change:
      break;
  }
  return "change";
}

template <class Items, class Convert>
Json arrayOf(const Items& items, Convert convert) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(convert(item));
  return array;
}

}  // namespace

std::string toJson(const ConnectionsDocument& document) {
  const Json json = {
      {"schema", "tcpscope.connections"},
      {"schema_version", kSchemaVersion},
      {"time", json::timeText(document.time)},
      {"places", arrayOf(document.places, placeJson)},
      {"gaps", arrayOf(document.gaps, gapJson)},
      {"listeners", arrayOf(document.listeners, listenerJson)},
      {"connections", arrayOf(document.connections, [](const auto& detail) { return connectionJson(*detail); })}};
  return json::compact(json) + "\n";
}

std::string toJsonLine(const ConnectionDetail& detail, SampleEvent event, WallTime time) {
  const Json json = {{"schema", "tcpscope.sample"},
                     {"schema_version", kSchemaVersion},
                     {"time", json::timeText(time)},
                     {"place", placeText(detail.socket.id.place)},
                     {"id", detail.socket.id.toString()},
                     {"event", name(event)},
                     {"metrics", json::metrics({detail.socket, &detail.interval})}};
  return json::compact(json) + "\n";
}

}  // namespace tcpscope
