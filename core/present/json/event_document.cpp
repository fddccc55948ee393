#include "core/present/json/event_document.h"

#include <cmath>

#include "core/base/escape.h"
#include "core/model/stream_bytes.h"
#include "core/present/json/json_values.h"
#include "core/present/text/loss_text.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void eventMembers(JsonWriter& out, std::string_view event, WallTime time) {
  json::schemaMembers(out, "tcpscope.event", 1);
  out.member("time", json::timeText(time));
  out.member("event", event);
}

void lossMembers(JsonWriter& out, const LossReport& loss) {
  out.member("sequence", loss.sequence);
  out.member("sequence_length", loss.sequenceLength);
  out.member("network_namespace", loss.networkNamespace);
  if (loss.reason && loss.reason->name.empty()) {
    out.member("reason", loss.reason->number);
  } else if (loss.reason) {
    out.member("reason", loss.reason->name);
  }
  out.member("text", sentence(loss));
  if (!loss.match) return;
  out.object("dropped_before", [&] {
    out.member("sequence_length", loss.match->droppedLength);
    out.member("complete_for_s", toSeconds(loss.match->completeFor));
    out.member("network_namespace", loss.match->networkNamespace);
  });
}

}  // namespace

std::string toJsonLine(const KernelEvent& event, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, name(event.kind), time);
    // Either end of a dropped packet may be here, or neither.
    const bool isPacket = event.kind == KernelEventKind::dropped;
    out.member(isPacket ? "source" : "local", event.local.toString());
    out.member(isPacket ? "destination" : "remote", event.remote.toString());
    if (event.loss) lossMembers(out, *event.loss);
    if (event.duration) out.member("duration_s", toSeconds(*event.duration));
    if (!event.thread) return;
    out.object("thread", [&] {
      out.member("tid", *event.thread);
      if (!event.threadName.empty()) out.member("name", forPlainText(event.threadName));
    });
  });
}

std::string triggeredJsonLine(const ConnectionRow& row, const Owner* owner, std::string_view condition,
                              const std::optional<std::string>& recording, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, "triggered", time);
    out.member("local", row.local.toString());
    out.member("remote", row.remote.toString());
    out.member("condition", forPlainText(condition));
    if (owner != nullptr) out.member("process", [&] { json::process(out, *owner); });
    if (recording) out.member("recording", forPlainText(*recording));
  });
}

std::string endedJsonLine(const ConnectionRow& row, const Owner* owner, const SocketObservation* last, WallTime time,
                          bool existedBefore) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, "ended", time);
    out.member("local", row.local.toString());
    out.member("remote", row.remote.toString());
    if (owner != nullptr) out.member("process", [&] { json::process(out, *owner); });
    // Seen only at its end: when it began is not known.
    if (row.firstSeen < row.closedAt) out.member("duration_s", toSeconds(row.closedAt - row.firstSeen));
    if (existedBefore) out.member("duration_is_minimum", true);
    const auto count = [&out](std::string_view key, const auto& counter) {
      if (counter) out.member(key, counter->value());
    };
    if (last != nullptr) {
      count("sent_bytes", acknowledgedData(last->info));
      count("received_bytes", receivedData(last->info));
      count("retransmitted_segments", last->info.totalRetrans());
    }
    if (!std::isnan(row.rttUs)) out.member("rtt_us", static_cast<double>(row.rttUs));
    const bool isIdle = row.limit == Limit::idle || (last != nullptr && carriedNothing(last->info));
    if (row.limit != Limit::unknown && !isIdle) out.member("limit", name(row.limit));
  });
}

std::string lostEventsJsonLine(std::optional<std::uint64_t> count, WallTime time) {
  return json::line([&](JsonWriter& out) {
    eventMembers(out, "lost", time);
    out.member("count", count);
  });
}

}  // namespace tcpscope
