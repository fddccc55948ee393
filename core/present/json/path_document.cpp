#include "core/present/json/path_document.h"

#include "core/present/json/json_values.h"
#include "core/present/text/path_history_text.h"

namespace tcpscope {

namespace {

using json::Json;

Json rateObject(const PathRate& rate) {
  return {{"rate_bps", json::figure(rate.rate.value())},
          {"is_of_path", rate.isOfPath()},
          {"limit", name(rate.limit)},
          {"time", json::timeText(rate.at)},
          {"text", sentence(rate)}};
}

Json lossObject(const PathEntry& entry) {
  Json loss = {
      {"segments", entry.segments}, {"loss_events", entry.lossEvents}, {"retransmitted_segments", entry.retransmitted}};
  if (const auto ratio = entry.lossRatio()) loss["loss_event_ratio"] = json::figure(*ratio);
  return loss;
}

Json bufferObject(const BufferAdvice& advice) {
  Json buffer = {{"buffer", advice.side == Side::sending ? "send" : "receive"},
                 {"setting", bufferSetting(advice.side)}};
  if (!advice.whyNot) {
    buffer["wanted_bytes"] = advice.wanted.value();
    buffer["rate_bps"] = json::figure(advice.rate.value());
    buffer["is_lower_bound"] = advice.basis != BufferBasis::ofPath;
  }
  if (advice.largestHere) buffer["largest_here_bytes"] = advice.largestHere->value();
  if (const auto fits = advice.fitsHere()) buffer["fits_here"] = *fits;
  buffer["text"] = sentence(advice);
  return buffer;
}

Json pathObject(const PathDocumentRow& row) {
  const PathEntry& entry = row.entry;
  Json path = {{"prefix", entry.path.toString()},
               {"first_seen", json::timeText(entry.firstSeen)},
               {"last_seen", json::timeText(entry.lastSeen)},
               {"connections", entry.connections}};
  if (entry.rtt) {
    path["min_rtt_us"] = entry.rtt->smallest.count();
    path["min_rtt_time"] = json::timeText(entry.rtt->at);
  }
  if (entry.sending) path["sending"] = rateObject(*entry.sending);
  if (entry.receiving) path["receiving"] = rateObject(*entry.receiving);
  if (const auto product = entry.bandwidthDelayProduct()) path["bandwidth_delay_product_bytes"] = product->value();
  path["loss"] = lossObject(entry);
  Json limits = Json::object();
  for (const Limit limit : kLimits) {
    const std::uint64_t connections = entry.limits[static_cast<std::size_t>(limit)];
    if (connections > 0) limits[std::string(name(limit))] = connections;
  }
  path["limits_seen"] = std::move(limits);
  if (const auto usual = entry.usualLimit()) path["usual_limit"] = name(*usual);
  if (entry.options) path["options"] = json::options(*entry.options);
  if (row.buffers.empty()) return path;
  path["buffers"] = Json::array();
  for (const BufferAdvice& advice : row.buffers) path["buffers"].push_back(bufferObject(advice));
  return path;
}

}  // namespace

std::string toJson(const std::vector<PathDocumentRow>& paths, WallTime time) {
  Json rows = Json::array();
  for (const PathDocumentRow& row : paths) rows.push_back(pathObject(row));
  const Json document = {
      {"schema", "tcpscope.paths"}, {"schema_version", 1}, {"time", json::timeText(time)}, {"paths", std::move(rows)}};
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
