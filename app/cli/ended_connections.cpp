#include "app/cli/ended_connections.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/cli/connection_output.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "core/model/stream_bytes.h"
#include "core/present/json/event_document.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// That may end within one interval.
constexpr std::size_t kMostEnded = 65'536;

constexpr const char* kLine = "{:<27}  {:<20}  {:<45}  {:>9}  {:>9}  {:>9}  {:>7}  {:>8}  {}";

/// Of the last sample; without one, of the row, which counts SYN and FIN.
std::string bytesText(const std::optional<Bytes>& data, float rowBytes) {
  if (data) return formatBytes(static_cast<double>(data->value()));
  return std::isnan(rowBytes) ? "-" : formatBytes(static_cast<double>(rowBytes));
}

/// What the last samples showed; of one that was seen only at its end nothing is known.
std::string lastLimit(const ConnectionRow& row, bool carriedData) {
  if (!carriedData) return std::string(shortName(Limit::idle));
  return row.limit == Limit::unknown || row.limit == Limit::idle ? "-" : std::string(shortName(row.limit));
}

/// At least the time since the first sample, where it existed before.
std::string durationText(const ConnectionRow& row, bool existedBefore) {
  const std::string seen = formatTime(toSeconds(row.closedAt - row.firstSeen));
  if (existedBefore) return "≥ " + seen;
  // Its first sample is its last: it was shorter than an interval.
  return row.firstSeen >= row.closedAt ? std::string("short") : seen;
}

void appendEnded(TextBuffer& out, const Poll& poll, const ConnectionRow& row, bool existedBefore, bool isJson) {
  const SessionSnapshot& snapshot = *poll.snapshot;
  const auto detail = poll.session.detail(row.id);
  const auto retransmitted = detail ? detail->socket.info.totalRetrans() : std::nullopt;
  if (isJson) {
    return append(out, endedJsonLine(row, snapshot.owner(row), detail ? &detail->socket : nullptr,
                                     snapshot.clock.wallAt(row.closedAt), existedBefore));
  }
  const TcpInfoSample* const info = detail ? &detail->socket.info : nullptr;
  line(out, kLine, timeText(snapshot.clock.wallAt(row.closedAt)), processText(snapshot.owner(row)),
       fmt::format("{} -> {}", row.local.toString(), row.remote.toString()), durationText(row, existedBefore),
       bytesText(info ? acknowledgedData(*info) : std::nullopt, row.sentBytes),
       bytesText(info ? receivedData(*info) : std::nullopt, row.receivedBytes),
       retransmitted ? std::to_string(retransmitted->value()) : std::string("-"),
       std::isnan(row.rttUs) ? std::string("-") : formatTime(static_cast<double>(row.rttUs) / 1e6),
       lastLimit(row, info == nullptr || !carriedNothing(*info)));
}

}  // namespace

ExitCode watchEnded(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings = pollingSettings(options, filter);
  settings.control.keepClosed = true;
  // One more than are printed: then some are missing.
  settings.budget.closedRows = kMostEnded + 1;
  const bool isJson = options.form() == OutputForm::jsonStream;
  return pollConnections(options, settings, [isJson](const NextPoll& next) {
    std::set<ConnectionId> known;
    std::optional<Moment> begun;
    while (const auto poll = next()) {
      TextBuffer out;
      // Behind the first sample: what ended before it was not seen.
      const bool isFirst = !begun;
      if (isFirst) begun = poll->snapshot->time;
      if (isFirst && !isJson) {
        line(out, kLine, "ENDED", "PROCESS", "CONNECTION", "DURATION", "SENT", "RECEIVED", "RETRANS", "RTT", "LIMIT");
      }
      std::set<ConnectionId> ended;
      std::vector<ConnectionRow> fresh;
      for (const std::uint32_t slot : *poll->snapshot->order) {
        const ConnectionRow row = poll->snapshot->row(slot);
        if (!row.closed) continue;
        ended.insert(row.id);
        if (!known.contains(row.id)) fresh.push_back(row);
      }
      std::sort(fresh.begin(), fresh.end(),
                [](const ConnectionRow& a, const ConnectionRow& b) { return a.closedAt < b.closedAt; });
      for (const ConnectionRow& row : fresh) appendEnded(out, *poll, row, row.firstSeen <= *begun, isJson);
      if (fresh.size() > kMostEnded && isJson) {
        append(out, lostEventsJsonLine(std::nullopt, poll->snapshot->clock.wallAt(poll->snapshot->time)));
      } else if (fresh.size() > kMostEnded) {
        line(out, "more than {} connections ended within one interval: the others are missing here", kMostEnded);
      }
      known = std::move(ended);
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    }
    return ExitCode::done;
  });
}

}  // namespace tcpscope
