// What a trace shows: a metric of the connection's samples, or what its captured packets say. Both stand on one axis of
// time, that of the samples: packet times are converted to it (core/wire/series/packet_series).
#pragma once

#include <QString>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "core/model/metric_catalogue.h"

namespace tcpscope {

/// Of the packets as they pass the capture point, which is this host or, of another host's connection, that.
enum class PacketTrace : std::uint8_t {
  sequence,
  acknowledged,
  inFlight,
  peerWindow,
  rtt,
  throughput,
  goodput,
  receivedSequence,
  receiveGoodput,
  ownWindow,
};
inline constexpr std::size_t kPacketTraceCount = static_cast<std::size_t>(PacketTrace::ownWindow) + 1;

struct PacketTraceRow {
  PacketTrace trace;
  /// For settings and CSV.
  std::string_view key;
  std::string_view title;
  MetricUnit unit;
  MetricKind kind;
  std::string_view explanation;
};

/// In the order in which they are offered.
std::span<const PacketTraceRow> packetTraces();
const PacketTraceRow& packetTraceRow(PacketTrace trace);

class TraceSource {
public:
  // Each of the two is one, wherever a source is asked for.
  TraceSource(Metric metric) : m_source(metric) {}         // NOLINT(google-explicit-constructor)
  TraceSource(PacketTrace packets) : m_source(packets) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::optional<Metric> metric() const;
  [[nodiscard]] std::optional<PacketTrace> packets() const;
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] QString title() const;
  /// What it is, and how to read it.
  [[nodiscard]] QString explanation() const;
  [[nodiscard]] MetricUnit unit() const;
  [[nodiscard]] MetricKind kind() const;
  /// A value in the base unit, as people read it.
  [[nodiscard]] QString textOf(double value) const;

  friend bool operator==(const TraceSource& one, const TraceSource& other) = default;

private:
  std::variant<Metric, PacketTrace> m_source;
};

std::optional<TraceSource> findTraceSource(std::string_view key);

}  // namespace tcpscope
