#include "core/present/json/connections_document.h"

#include <utility>

#include "core/base/escape.h"
#include "core/present/json/connection_json.h"

namespace tcpscope {
namespace {

using json::JsonWriter;

constexpr int kConnectionsSchemaVersion = 1;

void listener(JsonWriter& out, const ListenerRow& listener) {
  out.object([&] {
    out.member("id", listener.id.toString());
    out.member("place", json::placeText(listener.id.place));
    out.member("local", listener.local.toString());
    if (listener.owner) out.member("process", [&] { json::process(out, *listener.owner); });
    out.member("accept_queue", listener.acceptQueue);
    out.member("backlog", listener.backlog);
    out.array("findings", listener.findings, [&](const Finding& one) { json::finding(out, one, Side::receiving); });
  });
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
void lineMembers(JsonWriter& out, PlaceId place, SampleEvent event, WallTime time) {
  json::schemaMembers(out, "tcpscope.sample", kConnectionsSchemaVersion);
  out.member("time", json::timeText(time));
  out.member("place", json::placeText(place));
  out.member("event", name(event));
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
  JsonWriter out;
  out.beginObject();
  json::schemaMembers(out, "tcpscope.connections", kConnectionsSchemaVersion);
  out.member("time", json::timeText(head.time));
  out.array("places", head.places, [&](const Place& one) { json::place(out, one); });
  out.array("gaps", head.gaps, [&](const CollectionGap& one) { json::gap(out, one); });
  out.array("listeners", head.listeners, [&](const ListenerRow& one) { listener(out, one); });
  out.key("connections");
  out.beginArray();
  return out.text();
}

std::string ConnectionsDocumentPieces::connection(const ConnectionDetail& detail, const ConnectionAdvice* advice) {
  JsonWriter out;
  json::connection(out, detail, advice);
  return std::exchange(m_isFirst, false) ? out.text() : "," + out.text();
}

std::string toJsonLine(const ConnectionDetail& detail, SampleEvent event, WallTime time) {
  return json::line([&](JsonWriter& out) {
    lineMembers(out, detail.socket.id.place, event, time);
    out.member("id", detail.socket.id.toString());
    out.member("metrics", [&] { json::metrics(out, {detail.socket, &detail.interval}); });
  });
}

std::string toJsonLine(const CollectionGap& gap, WallTime time) {
  return json::line([&](JsonWriter& out) {
    lineMembers(out, gap.place, SampleEvent::gap, time);
    out.object("gap", [&] { json::gapMembers(out, gap); });
  });
}

std::string toJsonLine(const ChangeMark& mark, PlaceId place, WallTime time) {
  return json::line([&](JsonWriter& out) {
    lineMembers(out, place, SampleEvent::change, time);
    if (mark.connection) out.member("id", mark.connection->toString());
    out.object("change", [&] {
      out.member("key", forPlainText(mark.key));
      if (!mark.before.empty()) out.member("before", forPlainText(mark.before));
      if (!mark.after.empty()) out.member("after", forPlainText(mark.after));
    });
  });
}

}  // namespace tcpscope
