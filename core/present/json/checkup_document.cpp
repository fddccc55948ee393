#include "core/present/json/checkup_document.h"

#include "core/base/escape.h"
#include "core/present/json/check_json.h"
#include "core/present/json/json_values.h"
#include "core/present/text/checkup_text.h"

namespace tcpscope {

namespace {

/// What the row is about.
const char* objectKey(const CheckRow& row) {
  if (row.id == CheckId::hops || row.id == CheckId::pathMtu) return "remote";
  return row.layer == CheckLayer::application ? "process" : "interface";
}

void hopsMember(json::JsonWriter& out, const CheckRow& row) {
  if (row.hops.empty()) return;
  out.array("hops", row.hops, [&](const PathHop& hop) {
    out.object([&] {
      if (hop.address) out.member("address", hop.address->toString());
      if (hop.rtt) out.member("rtt_us", hop.rtt->count());
    });
  });
}

}  // namespace

void json::check(JsonWriter& out, const CheckRow& row) {
  out.object([&] {
    out.member("layer", name(row.layer));
    out.member("check", name(row.id));
    out.member("status", name(row.status));
    if (!row.object.empty()) out.member(objectKey(row), forPlainText(row.object));
    out.member("pid", row.pid);
    out.member("during", row.during);
    out.member("since_boot", row.ever);
    out.member("link_rate_bps", row.rate);
    out.member("bus_rate_bps", row.busRate);
    out.member("mtu_bytes", row.mtu);
    out.member("lower_mtu_bytes", row.lowerMtu);
    if (row.delay) out.member("delay_s", toSeconds(*row.delay));
    out.member("busiest_processor_ratio", row.ratio);
    out.member("busiest_processor", row.processor);
    if (row.status == CheckStatus::unknown) out.member("reason", name(row.reason));
    if (!row.names.empty()) {
      out.array("names", row.names, [&](const UntrustedText& one) { out.value(forPlainText(one)); });
    }
    out.member("count", row.count);
    out.member("most", row.most);
    out.member("used_bytes", row.used);
    out.member("limit_bytes", row.limit);
    out.member("sockets_bytes", row.inSockets);
    out.member("time_ratio", row.timeRatio);
    out.member("calls_per_s", row.callsASecond);
    out.member("bytes_per_call", row.bytesACall);
    hopsMember(out, row);
    out.member("vanishing_bytes", row.vanishing);
    out.member("text", std::string(title(row.id)) + ": " + tcpscope::finding(row));
    if (const std::string_view text = advice(row); !text.empty()) out.member("advice", text);
  });
}

std::string toJson(const std::vector<CheckRow>& rows, Nanoseconds window, WallTime time) {
  return json::line([&](json::JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.checkup", 1);
    out.member("time", json::timeText(time));
    out.member("window_s", toSeconds(window));
    out.member("status", name(worstOf(rows)));
    out.array("checks", rows, [&](const CheckRow& row) { json::check(out, row); });
  });
}

}  // namespace tcpscope
