#include "ui/models/connection_columns.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <cmath>

#include "core/present/text/sentences.h"
#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<ConnectionColumnRow, kConnectionColumnCount> kColumns = {{
    {ConnectionColumn::process, "process", QT_TRANSLATE_NOOP("ConnectionList", "Process"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "The program that holds the socket, with its process number. A dash where "
                       "it belongs to another user and cannot be seen."),
     SortKey::process, false, false, 20},
    {ConnectionColumn::local, "local", QT_TRANSLATE_NOOP("ConnectionList", "Local"),
     QT_TRANSLATE_NOOP("ConnectionList", "Address and port of this end."), SortKey::local, false, false, 16},
    {ConnectionColumn::remote, "remote", QT_TRANSLATE_NOOP("ConnectionList", "Remote"),
     QT_TRANSLATE_NOOP("ConnectionList", "Address and port of the other end."), SortKey::remote, false, false, 16},
    {ConnectionColumn::state, "state", QT_TRANSLATE_NOOP("ConnectionList", "State"),
     QT_TRANSLATE_NOOP("ConnectionList", "State of the connection (RFC 9293)."), SortKey::state, false, false, 13},
    {ConnectionColumn::sendRate, "send_rate", QT_TRANSLATE_NOOP("ConnectionList", "Sending"),
     QT_TRANSLATE_NOOP("ConnectionList", "Data that the other end newly acknowledged, in bit/s."), SortKey::sendRate,
     true, true, 11},
    {ConnectionColumn::receiveRate, "receive_rate", QT_TRANSLATE_NOOP("ConnectionList", "Receiving"),
     QT_TRANSLATE_NOOP("ConnectionList", "Data newly received in order, in bit/s."), SortKey::receiveRate, true, true,
     11},
    {ConnectionColumn::rtt, "rtt", QT_TRANSLATE_NOOP("ConnectionList", "RTT"),
     QT_TRANSLATE_NOOP("ConnectionList", "Smoothed round-trip time."), SortKey::rtt, true, true, 9},
    {ConnectionColumn::retransmitted, "loss", QT_TRANSLATE_NOOP("ConnectionList", "Sent again"),
     QT_TRANSLATE_NOOP("ConnectionList", "Share of the data segments of the last seconds that were retransmissions."),
     SortKey::retransmitted, true, true, 9},
    {ConnectionColumn::limits, "limits", QT_TRANSLATE_NOOP("ConnectionList", "Limits"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "What held the connection back over the last seconds, as shares of the time. "
                       "Help explains the colours."),
     SortKey::limit, false, false, 11},
    {ConnectionColumn::verdict, "verdict", QT_TRANSLATE_NOOP("ConnectionList", "Verdict"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "Which limit holds the connection back; the whole sentence on hovering and in the diagnosis."),
     SortKey::limit, false, false, 44},
    {ConnectionColumn::trend, "trend", QT_TRANSLATE_NOOP("ConnectionList", "Trend"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "Rate of the direction with more data, newest at the right; each row has a "
                       "scale of its own."),
     SortKey::rate, true, false, 9},
    {ConnectionColumn::place, "place", QT_TRANSLATE_NOOP("ConnectionList", "Place"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "Where the connection is seen: this host, one of its network namespaces, another host, a "
                       "recording."),
     SortKey::place, false, false, 17},
    {ConnectionColumn::began, "began", QT_TRANSLATE_NOOP("ConnectionList", "Began"),
     QT_TRANSLATE_NOOP("ConnectionList", "Time of day when the connection was first seen."), SortKey::age, false, true,
     15},
    {ConnectionColumn::lasted, "lasted", QT_TRANSLATE_NOOP("ConnectionList", "Lasted"),
     QT_TRANSLATE_NOOP("ConnectionList", "From when it was first seen to its end, or to its last packet in a capture."),
     SortKey::duration, true, true, 9},
    {ConnectionColumn::sentBytes, "sent_bytes", QT_TRANSLATE_NOOP("ConnectionList", "Sent"),
     QT_TRANSLATE_NOOP("ConnectionList",
                       "Data that this end sent, each byte once: acknowledged, or seen in a capture."),
     SortKey::sentBytes, true, true, 9},
    {ConnectionColumn::receivedBytes, "received_bytes", QT_TRANSLATE_NOOP("ConnectionList", "Received"),
     QT_TRANSLATE_NOOP("ConnectionList", "Data that this end received, each byte once."), SortKey::receivedBytes, true,
     true, 9},
}};

QString rateText(float rateBps) {
  if (std::isnan(rateBps)) return notKnown();
  return toQString(formatRate(BitsPerSecond(static_cast<double>(rateBps))));
}

QString bytesText(float bytes) {
  return std::isnan(bytes) ? notKnown() : toQString(formatBytes(static_cast<double>(bytes)));
}

Verdict verdictOf(const ConnectionRow& row) {
  Verdict verdict;
  verdict.limit = row.limit;
  verdict.cause = row.cause;
  verdict.confidenceRatio = static_cast<double>(row.confidenceRatio);
  const float rate = row.bulk == Side::sending ? row.sendRateBps : row.receiveRateBps;
  if (!std::isnan(rate)) verdict.goodput = BitsPerSecond(static_cast<double>(rate));
  if (!std::isnan(row.possibleRateBps) && row.possibleRateBps > 0)
    verdict.possible = BitsPerSecond(static_cast<double>(row.possibleRateBps));
  return verdict;
}

QString ownerToolTip(const ConnectionRow& row, const Owner* owner) {
  if (owner == nullptr)
    return QCoreApplication::translate(
               "ConnectionList",
               "The owner is not known: the process belongs to another user (number %1), or it has ended.")
        .arg(row.userId);
  QStringList lines{processText(owner)};
  if (owner->userName)
    lines << QCoreApplication::translate("ConnectionList", "User: %1").arg(plainText(*owner->userName));
  if (owner->unitOrContainer)
    lines << QCoreApplication::translate("ConnectionList", "Unit or container: %1")
                 .arg(plainText(*owner->unitOrContainer));
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
      if (row.unheard) return QCoreApplication::translate("ConnectionList", "not known");
      return row.closed ? QCoreApplication::translate("ConnectionList", "gone") : toQString(name(row.state));
    case ConnectionColumn::sendRate:
      return rateText(row.sendRateBps);
    case ConnectionColumn::receiveRate:
      return rateText(row.receiveRateBps);
    case ConnectionColumn::rtt:
      return std::isnan(row.rttUs) ? notKnown() : toQString(formatTime(static_cast<double>(row.rttUs) * 1e-6));
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
  if (shares.isEmpty()) return QCoreApplication::translate("ConnectionList", "Not observed yet");
  return shares.join(QStringLiteral(", "));
}

QString connectionToolTip(ConnectionColumn column, const ConnectionRow& row, const Owner* owner) {
  switch (column) {
    case ConnectionColumn::process:
      return ownerToolTip(row, owner);
    case ConnectionColumn::limits:
      return limitsText(row);
    case ConnectionColumn::verdict:
      return QCoreApplication::translate("ConnectionList", "%1\nConfidence %2")
          .arg(toQString(sentence(verdictOf(row), row.bulk)),
               toQString(formatRatio(static_cast<double>(row.confidenceRatio))));
    case ConnectionColumn::trend:
      return QCoreApplication::translate("ConnectionList", "Top of the scale: %1").arg(rateText(row.sparklineTopBps));
    default:
      return connectionText(column, row, owner);
  }
}

}  // namespace tcpscope
