#include "core/report/checkup_document.h"

#include "core/report/json_values.h"
#include "core/text/checkup_text.h"
#include "core/text/escape.h"

namespace tcpscope {

std::string toJson(const std::vector<CheckRow>& rows, Nanoseconds window, WallTime time) {
  using json::Json;
  Json checks = Json::array();
  for (const CheckRow& row : rows) {
    Json check = {{"layer", name(row.layer)}, {"check", name(row.id)}, {"status", name(row.status)}};
    const char* const object = row.layer == CheckLayer::application ? "process" : "interface";
    if (!row.object.empty()) check[object] = forPlainText(row.object);
    if (row.pid) check["pid"] = *row.pid;
    if (row.during) check["during"] = *row.during;
    if (row.ever) check["since_boot"] = *row.ever;
    if (row.rate) check["link_rate_bps"] = json::figure(row.rate->value());
    if (row.busRate) check["bus_rate_bps"] = json::figure(row.busRate->value());
    if (row.mtu) check["mtu_bytes"] = row.mtu->value();
    if (row.lowerMtu) check["lower_mtu_bytes"] = row.lowerMtu->value();
    if (row.delay) check["delay_s"] = json::figure(toSeconds(*row.delay));
    if (row.ratio) check["busiest_processor_ratio"] = json::figure(*row.ratio);
    if (row.processor) check["busiest_processor"] = *row.processor;
    if (row.status == CheckStatus::unknown) check["reason"] = name(row.reason);
    for (const UntrustedText& one : row.names) check["names"].push_back(forPlainText(one));
    if (row.count) check["count"] = *row.count;
    if (row.most) check["most"] = *row.most;
    if (row.used) check["used_bytes"] = row.used->value();
    if (row.limit) check["limit_bytes"] = row.limit->value();
    if (row.inSockets) check["sockets_bytes"] = row.inSockets->value();
    if (row.timeRatio) check["time_ratio"] = json::figure(*row.timeRatio);
    if (row.callsASecond) check["calls_per_s"] = json::figure(*row.callsASecond);
    if (row.bytesACall) check["bytes_per_call"] = json::figure(*row.bytesACall);
    check["text"] = std::string(title(row.id)) + ": " + finding(row);
    if (const std::string_view text = advice(row); !text.empty()) check["advice"] = text;
    checks.push_back(std::move(check));
  }
  const Json document = {{"schema", "tcpscope.checkup"},  {"schema_version", 1},
                         {"time", json::timeText(time)},  {"window_s", json::figure(toSeconds(window))},
                         {"status", name(worstOf(rows))}, {"checks", std::move(checks)}};
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
