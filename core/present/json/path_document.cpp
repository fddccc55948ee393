#include "core/present/json/path_document.h"

#include "core/present/json/json_values.h"
#include "core/present/text/path_history_text.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void rateObject(JsonWriter& out, const PathRate& rate) {
  out.object([&] {
    out.member("rate_bps", rate.rate);
    out.member("is_of_path", rate.isOfPath());
    out.member("limit", name(rate.limit));
    out.member("time", json::timeText(rate.at));
    out.member("text", sentence(rate));
  });
}

void bufferObject(JsonWriter& out, const BufferAdvice& advice) {
  out.object([&] {
    out.member("buffer", advice.side == Side::sending ? "send" : "receive");
    out.member("setting", bufferSetting(advice.side));
    if (!advice.whyNot) {
      out.member("wanted_bytes", advice.wanted);
      out.member("rate_bps", advice.rate);
      out.member("is_lower_bound", advice.basis != BufferBasis::ofPath);
    }
    out.member("largest_here_bytes", advice.largestHere);
    out.member("fits_here", advice.fitsHere());
    out.member("text", sentence(advice));
  });
}

void limitsSeenMember(JsonWriter& out, const PathEntry& entry) {
  out.object("limits_seen", [&] {
    for (const Limit limit : kLimits) {
      const std::uint64_t connections = entry.limits[static_cast<std::size_t>(limit)];
      if (connections > 0) out.member(name(limit), connections);
    }
  });
}

void pathObject(JsonWriter& out, const PathDocumentRow& row) {
  const PathEntry& entry = row.entry;
  out.object([&] {
    out.member("prefix", entry.path.toString());
    out.member("first_seen", json::timeText(entry.firstSeen));
    out.member("last_seen", json::timeText(entry.lastSeen));
    out.member("connections", entry.connections);
    if (entry.rtt) {
      out.member("min_rtt_us", entry.rtt->smallest.count());
      out.member("min_rtt_time", json::timeText(entry.rtt->at));
    }
    if (entry.sending) out.member("sending", [&] { rateObject(out, *entry.sending); });
    if (entry.receiving) out.member("receiving", [&] { rateObject(out, *entry.receiving); });
    out.member("bandwidth_delay_product_bytes", entry.bandwidthDelayProduct());
    out.object("loss", [&] {
      out.member("segments", entry.segments);
      out.member("loss_events", entry.lossEvents);
      out.member("retransmitted_segments", entry.retransmitted);
      out.member("loss_event_ratio", entry.lossRatio());
    });
    limitsSeenMember(out, entry);
    if (const auto usual = entry.usualLimit()) out.member("usual_limit", name(*usual));
    if (entry.options) out.member("options", [&] { json::options(out, *entry.options); });
    if (row.buffers.empty()) return;
    out.array("buffers", row.buffers, [&](const BufferAdvice& advice) { bufferObject(out, advice); });
  });
}

}  // namespace

std::string toJson(const std::vector<PathDocumentRow>& paths, WallTime time) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.paths", 1);
    out.member("time", json::timeText(time));
    out.array("paths", paths, [&](const PathDocumentRow& row) { pathObject(out, row); });
  });
}

}  // namespace tcpscope
