#include "ui/models/connection_columns.h"

#include <QStringList>
#include <array>
#include <cmath>

#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/rtt_text.h"
#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<ConnectionColumnRow, kConnectionColumnCount> kColumns = {{
    {ConnectionColumn::process, "process", "Process",
     "Process that holds the socket, with its PID. A dash if it belongs to another user and is not visible.",
     SortKey::process, false, false, 20},
    {ConnectionColumn::local, "local", "Local", "Local address and port.", SortKey::local, false, false, 16},
    {ConnectionColumn::remote, "remote", "Remote", "Remote address and port.", SortKey::remote, false, false, 16},
    {ConnectionColumn::state, "state", "State", "TCP state (RFC 9293).", SortKey::state, false, false, 13},
    {ConnectionColumn::sendRate, "send_rate", "Tx rate", "Data newly acknowledged by the peer, in bit/s.",
     SortKey::sendRate, true, true, 11},
    {ConnectionColumn::receiveRate, "receive_rate", "Rx rate", "Data newly received in order, in bit/s.",
     SortKey::receiveRate, true, true, 11},
    {ConnectionColumn::rtt, "rtt", "RTT",
     "Smoothed round-trip time (SRTT); old where this end only receives, because it is measured with data that it "
     "sends.",
     SortKey::rtt, true, true, 14},
    {ConnectionColumn::retransmitted, "loss", "Retrans",
     "Retransmitted share of the data segments sent in the last seconds.", SortKey::retransmitted, true, true, 9},
    {ConnectionColumn::limits, "limits", "Limits",
     "What limited the connection over the last seconds, as shares of the time. Help explains the colours.",
     SortKey::limit, false, false, 11},
    {ConnectionColumn::exchanges, "exchanges", "Exchanges",
     "Who takes the time where requests and responses alternate: the local end, the path, the remote end, from left to "
     "right.",
     std::nullopt, false, false, 11},
    {ConnectionColumn::verdict, "verdict", "Verdict",
     "What limits the connection; hover or open the diagnosis for the whole sentence. Sorts by severity, then by rate; "
     "of a capture by the severity of the worst finding, then by data.",
     SortKey::verdict, true, false, 44},
    {ConnectionColumn::trend, "trend", "Trend",
     "Rate of the direction with more data, newest at the right; each row has its own scale.", SortKey::rate, true,
     false, 9},
    {ConnectionColumn::place, "place", "Host",
     "Where the connection was observed: this host, one of its network namespaces, another host, or a recording.",
     SortKey::place, false, false, 17},
    {ConnectionColumn::began, "began", "Start", "Time of day when the connection was first observed.", SortKey::age,
     false, true, 15},
    {ConnectionColumn::lasted, "lasted", "Duration",
     "From the first observation to the end of the connection, or to its last packet in a capture.", SortKey::duration,
     true, true, 9},
    {ConnectionColumn::sentBytes, "sent_bytes", "Sent",
     "Data sent, without retransmissions: acknowledged, or seen in a capture.", SortKey::sentBytes, true, true, 9},
    {ConnectionColumn::receivedBytes, "received_bytes", "Received", "Data received, without duplicates.",
     SortKey::receivedBytes, true, true, 9},
}};

QString rateText(float rateBps) {
  if (std::isnan(rateBps)) return notKnown();
  return toQString(formatRate(BitsPerSecond(static_cast<double>(rateBps))));
}

QString bytesText(float bytes) {
  return std::isnan(bytes) ? notKnown() : toQString(formatBytes(static_cast<double>(bytes)));
}

std::optional<ExchangeShares> exchangesOf(const ConnectionRow& row) {
  if (row.exchanges.empty()) return std::nullopt;
  const auto share = [](std::uint8_t percent) { return static_cast<double>(percent) / 100.0; };
  ExchangeShares shares;
  shares.here = share(row.exchanges.local);
  shares.path = share(row.exchanges.path);
  shares.peer = share(row.exchanges.remote);
  shares.isOfCapture = row.exchanges.localIsClient;
  return shares;
}

Verdict verdictOf(const ConnectionRow& row) {
  Verdict verdict;
  verdict.limit = row.limit;
  verdict.cause = row.cause;
  verdict.confidenceRatio = static_cast<double>(row.confidenceRatio);
  const float rate = row.bulk == Side::sending ? row.sendRateBps : row.receiveRateBps;
  if (!std::isnan(rate)) verdict.goodput = BitsPerSecond(static_cast<double>(rate));
  if (!std::isnan(row.nextLimitBps) && row.nextLimitBps > 0)
    verdict.next = NextLimit{BitsPerSecond(static_cast<double>(row.nextLimitBps)), {}, {}, {}};
  verdict.exchanges = exchangesOf(row);
  return verdict;
}

QString ownerToolTip(const ConnectionRow& row, const Owner* owner) {
  if (owner == nullptr)
    return QStringLiteral("Owner unknown: the process belongs to another user (UID %1), or it has exited.")
        .arg(row.userId);
  QStringList lines{processText(owner)};
  if (owner->userName) lines << QStringLiteral("User: %1").arg(plainText(*owner->userName));
  if (owner->unitOrContainer) lines << QStringLiteral("Unit or container: %1").arg(plainText(*owner->unitOrContainer));
  return lines.join(u'\n');
}

}  // namespace

std::span<const ConnectionColumnRow> connectionColumns() {
  return kColumns;
}

const ConnectionColumnRow& connectionColumn(int column) {
  return kColumns.at(static_cast<std::size_t>(column));
}

QString connectionText(ConnectionColumn column, const ConnectionRow& row, const Owner* owner) {
  switch (column) {
    case ConnectionColumn::process:
      return (row.pinned ? QStringLiteral("★ ") : QString()) + processText(owner);
    case ConnectionColumn::local:
      return toQString(row.local.toString());
    case ConnectionColumn::remote:
      return toQString(row.remote.toString());
    case ConnectionColumn::state:
      if (row.unheard) return QStringLiteral("unknown");
      return row.closed ? QStringLiteral("closed") : toQString(name(row.state));
    case ConnectionColumn::sendRate:
      return rateText(row.sendRateBps);
    case ConnectionColumn::receiveRate:
      return rateText(row.receiveRateBps);
    case ConnectionColumn::rtt:
      return std::isnan(row.rttUs) ? notKnown()
                                   : toQString(rttText(static_cast<double>(row.rttUs) * 1e-6, row.isRttOld));
    case ConnectionColumn::retransmitted:
      return std::isnan(row.retransmittedRatio) ? notKnown()
                                                : toQString(formatRatio(static_cast<double>(row.retransmittedRatio)));
    case ConnectionColumn::verdict:
      return toQString(brief(verdictOf(row), row.bulk));
    case ConnectionColumn::lasted:
      return row.closedAt > row.firstSeen ? toQString(formatTime(toSeconds(row.closedAt - row.firstSeen))) : notKnown();
    case ConnectionColumn::sentBytes:
      return bytesText(row.sentBytes);
    case ConnectionColumn::receivedBytes:
      return bytesText(row.receivedBytes);
    case ConnectionColumn::limits:
    case ConnectionColumn::exchanges:
    case ConnectionColumn::trend:
    case ConnectionColumn::began:
    case ConnectionColumn::place:
    case ConnectionColumn::count:
      break;
  }
  return {};
}

QString limitsText(const ConnectionRow& row) {
  QStringList shares;
  for (const Limit limit : kLimits) {
    const int percent = row.limits.percent[static_cast<std::size_t>(limit)];
    if (percent > 0) shares << QStringLiteral("%1 %2 %").arg(toQString(shortName(limit))).arg(percent);
  }
  if (shares.isEmpty()) return QStringLiteral("Not observed yet");
  return shares.join(QStringLiteral(", "));
}

QString exchangesText(const ConnectionRow& row) {
  const auto exchanges = exchangesOf(row);
  if (!exchanges) return QStringLiteral("Requests and responses do not alternate");
  return toQString(shares(*exchanges));
}

QString connectionToolTip(ConnectionColumn column, const ConnectionRow& row, const Owner* owner) {
  switch (column) {
    case ConnectionColumn::process:
      return ownerToolTip(row, owner);
    case ConnectionColumn::limits:
      return limitsText(row);
    case ConnectionColumn::exchanges:
      return exchangesText(row);
    case ConnectionColumn::verdict:
      return QStringLiteral("%1\nConfidence %2")
          .arg(toQString(sentence(verdictOf(row), row.bulk)),
               toQString(formatRatio(static_cast<double>(row.confidenceRatio))));
    case ConnectionColumn::trend:
      return QStringLiteral("Top of the scale: %1").arg(rateText(row.sparklineTopBps));
    case ConnectionColumn::rtt:
      return std::isnan(row.rttUs) ? QStringLiteral("No measurement yet") : toQString(rttExplanation(row.isRttOld));
    default:
      return connectionText(column, row, owner);
  }
}

}  // namespace tcpscope
