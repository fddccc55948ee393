// THE list of the connection list's columns: title, what it says, how it sorts, its text for a row.
#pragma once

#include <QString>
#include <optional>
#include <span>

#include "core/session/session_snapshot.h"

namespace tcpscope {

enum class ConnectionColumn : std::uint8_t {
  process,
  local,
  remote,
  state,
  sendRate,
  receiveRate,
  rtt,
  retransmitted,
  limits,
  exchanges,
  verdict,
  trend,
  place,
  began,
  lasted,
  sentBytes,
  receivedBytes,
  count
};

inline constexpr int kConnectionColumnCount = static_cast<int>(ConnectionColumn::count);

struct ConnectionColumnRow {
  ConnectionColumn column;
  /// For the settings file.
  const char* key;
  const char* title;
  const char* hint;
  std::optional<SortKey> sortKey;
  /// Does the first click on the header sort downwards?
  bool sortsDescendingFirst;
  bool rightAligned;
  /// Characters of the widest usual text, for the first layout.
  int usualCharacters;
};

std::span<const ConnectionColumnRow> connectionColumns();
const ConnectionColumnRow& connectionColumn(int column);

/// Text of a cell; empty for what is drawn (limits, exchanges, trend), and for what the row alone does not hold: the
/// host, and when it began. An en dash where a figure is not known.
QString connectionText(ConnectionColumn column, const ConnectionRow& row, const Owner* owner);
/// The shares of the limits bar in words: "receiver's window 82 %, network 18 %".
QString limitsText(const ConnectionRow& row);
/// The shares of the exchanges bar in words: "this end 20 %, path 20 %, peer 60 %".
QString exchangesText(const ConnectionRow& row);
/// Everything about the row, for hovering and for screen readers.
QString connectionToolTip(ConnectionColumn column, const ConnectionRow& row, const Owner* owner);

}  // namespace tcpscope
