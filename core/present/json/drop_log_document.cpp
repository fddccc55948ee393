#include "core/present/json/drop_log_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void linkMembers(JsonWriter& out, const DropsOfLink& link, const LossSummary& losses) {
  if (!link.link.empty()) out.member("link", forPlainText(link.link));
  out.member("drops", link.drops.size());
  if (!link.drops.empty()) {
    out.member("first_s", toSeconds(link.drops.front() - Moment()));
    out.member("duration_s", toSeconds(link.drops.back() - link.drops.front()));
  }
  out.array("kinds", link.kinds, [&](const auto& kind) {
    out.object([&] {
      out.member("event", forPlainText(kind.first));
      out.member("drops", kind.second);
    });
  });
  if (!losses.rtt) return;
  out.member("loss_events", losses.events.size());
  out.member("within_0_01_rtt_ratio", losses.withinHundredthRtt);
  out.member("poisson_within_0_01_rtt_ratio", losses.poissonWithinHundredthRtt);
  out.member("within_1_rtt_ratio", losses.withinRtt);
  out.member("poisson_within_1_rtt_ratio", losses.poissonWithinRtt);
  out.array("intervals_rtt", losses.intervalsRtt, [&](double interval) { out.value(interval); });
}

}  // namespace

std::string toJson(const DropLog& log, std::span<const LossSummary> losses, const UntrustedText& file) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.drops", 1);
    out.member("file", forPlainText(file));
    if (!losses.empty() && losses.front().rtt) out.member("rtt_us", toSeconds(*losses.front().rtt) * 1e6);
    out.member("other_events", log.otherEvents);
    std::size_t number = 0;
    out.array("links", log.links,
              [&](const DropsOfLink& link) { out.object([&] { linkMembers(out, link, losses[number++]); }); });
  });
}

}  // namespace tcpscope
