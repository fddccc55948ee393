#include "core/present/json/event_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"

namespace tcpscope {

namespace {

using json::Json;

Json eventLine(std::string_view event, WallTime time) {
  return {{"schema", "tcpscope.event"}, {"schema_version", 1}, {"time", json::timeText(time)}, {"event", event}};
}

}  // namespace

std::string toJsonLine(const KernelEvent& event, WallTime time) {
  Json line = eventLine(name(event.kind), time);
  line["local"] = event.local.toString();
  line["remote"] = event.remote.toString();
  if (event.duration) line["duration_s"] = json::figure(toSeconds(*event.duration));
  if (event.thread) {
    Json& thread = line["thread"] = {{"tid", *event.thread}};
    if (!event.threadName.empty()) thread["name"] = forPlainText(event.threadName);
  }
  return json::compact(line) + "\n";
}

std::string triggeredJsonLine(const ConnectionRow& row, const Owner* owner, std::string_view condition, WallTime time) {
  Json line = eventLine("triggered", time);
  line["local"] = row.local.toString();
  line["remote"] = row.remote.toString();
  line["condition"] = forPlainText(condition);
  if (owner != nullptr) line["process"] = json::process(*owner);
  return json::compact(line) + "\n";
}

std::string lostEventsJsonLine(std::uint64_t count, WallTime time) {
  Json line = eventLine("lost", time);
  line["count"] = count;
  return json::compact(line) + "\n";
}

}  // namespace tcpscope
