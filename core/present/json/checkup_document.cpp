#include "core/present/json/checkup_document.h"

#include "core/base/escape.h"
#include "core/present/json/check_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/text/checkup_text.h"

namespace tcpscope {

namespace {

/// What the row is about.
const char* objectKey(const CheckRow& row) {
  if (row.id == CheckId::hops || row.id == CheckId::pathMtu) return "remote";
  return row.layer == CheckLayer::application ? "process" : "interface";
}

json::Json hopsOf(const CheckRow& row) {
  json::Json hops = json::Json::array();
  for (const PathHop& hop : row.hops) {
    json::Json one = json::Json::object();
    if (hop.address) one["address"] = hop.address->toString();
    if (hop.rtt) one["rtt_us"] = hop.rtt->count();
    hops.push_back(std::move(one));
  }
  return hops;
}

}  // namespace

json::Json json::check(const CheckRow& row) {
  Json check = {{"layer", name(row.layer)}, {"check", name(row.id)}, {"status", name(row.status)}};
  if (!row.object.empty()) check[objectKey(row)] = forPlainText(row.object);
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
  if (!row.hops.empty()) check["hops"] = hopsOf(row);
  if (row.vanishing) check["vanishing_bytes"] = row.vanishing->value();
  check["text"] = std::string(title(row.id)) + ": " + finding(row);
  if (const std::string_view text = advice(row); !text.empty()) check["advice"] = text;
  return check;
}

std::string toJson(const std::vector<CheckRow>& rows, Nanoseconds window, WallTime time) {
  const json::Json document = {{"schema", "tcpscope.checkup"},  {"schema_version", 1},
                               {"time", json::timeText(time)},  {"window_s", json::figure(toSeconds(window))},
                               {"status", name(worstOf(rows))}, {"checks", json::arrayOf(rows, json::check)}};
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
