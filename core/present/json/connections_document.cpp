#include "core/present/json/connections_document.h"

#include <utility>

#include "core/base/escape.h"
#include "core/present/json/connection_json.h"

namespace tcpscope {
namespace {

using json::Json;

constexpr int kConnectionsSchemaVersion = 1;

Json listenerJson(const ListenerRow& listener) {
  Json object = {{"id", listener.id.toString()},
                 {"place", json::placeText(listener.id.place)},
                 {"local", listener.local.toString()}};
  if (listener.owner) object["process"] = json::process(*listener.owner);
  object["accept_queue"] = listener.acceptQueue;
  object["backlog"] = listener.backlog;
  object["findings"] = Json::array();
  for (const Finding& finding : listener.findings) {
    object["findings"].push_back(json::finding(finding, Side::receiving));
  }
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

/// What every line has.
Json sampleLine(PlaceId place, SampleEvent event, WallTime time) {
  return {{"schema", "tcpscope.sample"},
          {"schema_version", kConnectionsSchemaVersion},
          {"time", json::timeText(time)},
          {"place", json::placeText(place)},
          {"event", name(event)}};
}

}  // namespace

std::string toJson(const ConnectionsDocument& document) {
  ConnectionsDocumentPieces pieces;
  std::string text = pieces.begin(document);
  for (std::size_t index = 0; index < document.connections.size(); ++index) {
    const bool hasAdvice = index < document.advice.size();
    text += pieces.connection(*document.connections[index], hasAdvice ? &document.advice[index] : nullptr);
  }
  return text + ConnectionsDocumentPieces::end();
}

std::string ConnectionsDocumentPieces::begin(const ConnectionsDocument& head) {
  m_isFirst = true;
  const Json json = {{"schema", "tcpscope.connections"},
                     {"schema_version", kConnectionsSchemaVersion},
                     {"time", json::timeText(head.time)},
                     {"places", json::arrayOf(head.places, json::place)},
                     {"gaps", json::arrayOf(head.gaps, json::gap)},
                     {"listeners", json::arrayOf(head.listeners, listenerJson)},
                     {"connections", Json::array()}};
  std::string text = json::compact(json);
  // The array of connections stays open: without "]}".
  text.resize(text.size() - 2);
  return text;
}

std::string ConnectionsDocumentPieces::connection(const ConnectionDetail& detail, const ConnectionAdvice* advice) {
  const std::string text = json::compact(json::connection(detail, advice));
  return std::exchange(m_isFirst, false) ? text : "," + text;
}

std::string toJsonLine(const ConnectionDetail& detail, SampleEvent event, WallTime time) {
  Json line = sampleLine(detail.socket.id.place, event, time);
  line["id"] = detail.socket.id.toString();
  line["metrics"] = json::metrics({detail.socket, &detail.interval});
  return json::compact(line) + "\n";
}

std::string toJsonLine(const CollectionGap& gap, WallTime time) {
  Json line = sampleLine(gap.place, SampleEvent::gap, time);
  line["gap"] = json::gap(gap);
  line["gap"].erase("place");
  return json::compact(line) + "\n";
}

std::string toJsonLine(const ChangeMark& mark, PlaceId place, WallTime time) {
  Json line = sampleLine(place, SampleEvent::change, time);
  if (mark.connection) line["id"] = mark.connection->toString();
  Json& change = line["change"] = {{"key", forPlainText(mark.key)}};
  if (!mark.before.empty()) change["before"] = forPlainText(mark.before);
  if (!mark.after.empty()) change["after"] = forPlainText(mark.after);
  return json::compact(line) + "\n";
}

}  // namespace tcpscope
