#include "core/present/json/event_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void eventMembers(JsonWriter& out, std::string_view event, WallTime time) {
  json::schemaMembers(out, "tcpscope.event", 1);
  out.member("time", json::timeText(time));
  out.member("event", event);
}

}  // namespace

std::string toJsonLine(const KernelEvent& event, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, name(event.kind), time);
    out.member("local", event.local.toString());
    out.member("remote", event.remote.toString());
    if (event.duration) out.member("duration_s", toSeconds(*event.duration));
    if (!event.thread) return;
    out.object("thread", [&] {
      out.member("tid", *event.thread);
      if (!event.threadName.empty()) out.member("name", forPlainText(event.threadName));
    });
  });
}

std::string triggeredJsonLine(const ConnectionRow& row, const Owner* owner, std::string_view condition, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, "triggered", time);
    out.member("local", row.local.toString());
    out.member("remote", row.remote.toString());
    out.member("condition", forPlainText(condition));
    if (owner != nullptr) out.member("process", [&] { json::process(out, *owner); });
  });
}

std::string lostEventsJsonLine(std::uint64_t count, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, "lost", time);
    out.member("count", count);
  });
}

}  // namespace tcpscope
