#include "ui/plots/trace_source.h"

#include <algorithm>
#include <array>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

constexpr std::array<PacketTraceRow, kPacketTraceCount> kPacketTraces = {{
    {PacketTrace::sequence, "packets_sequence", "Sequence number (packets)", MetricUnit::bytes, MetricKind::counter,
     "The highest sequence number sent, from the first that was captured. Its slope is the rate; where it is flat, "
     "nothing new was sent."},
    {PacketTrace::acknowledged, "packets_acknowledgment", "Acknowledgment number (packets)", MetricUnit::bytes,
     MetricKind::counter,
     "The acknowledgment number received, on the axis of the sequence number: the difference is in flight."},
    {PacketTrace::inFlight, "packets_in_flight_bytes", "Bytes in flight (packets)", MetricUnit::bytes,
     MetricKind::gauge,
     "Sent and neither acknowledged nor SACKed. Compare with the kernel's congestion window, which limits it."},
    {PacketTrace::peerWindow, "packets_peer_window_bytes", "Peer's receive window (packets)", MetricUnit::bytes,
     MetricKind::gauge, "The window field of the peer's packets with its scale; unknown without the scale."},
    {PacketTrace::rtt, "packets_rtt_us", "RTT (packets)", MetricUnit::microseconds, MetricKind::gauge,
     "From a segment to its acknowledgment, where it is not ambiguous. Compare with the kernel's srtt, which smooths "
     "it."},
    {PacketTrace::throughput, "packets_throughput_bps", "Send throughput (packets)", MetricUnit::bitsPerSecond,
     MetricKind::gauge, "Payload sent, retransmissions included, averaged over about 1/160 of the screen."},
    {PacketTrace::goodput, "packets_goodput_bps", "Send goodput (packets)", MetricUnit::bitsPerSecond,
     MetricKind::gauge, "Payload sent, each byte once, averaged over about 1/160 of the screen."},
    {PacketTrace::receivedSequence, "packets_received_sequence", "Received sequence number (packets)",
     MetricUnit::bytes, MetricKind::counter, "The highest sequence number received, from the first that was captured."},
    {PacketTrace::receiveGoodput, "packets_receive_goodput_bps", "Receive goodput (packets)", MetricUnit::bitsPerSecond,
     MetricKind::gauge, "Payload received, each byte once, averaged over about 1/160 of the screen."},
    {PacketTrace::ownWindow, "packets_own_window_bytes", "Advertised receive window (packets)", MetricUnit::bytes,
     MetricKind::gauge, "The window field of this end's packets with its scale; unknown without the scale."},
}};

}  // namespace

std::span<const PacketTraceRow> packetTraces() {
  return kPacketTraces;
}

const PacketTraceRow& packetTraceRow(PacketTrace trace) {
  return kPacketTraces.at(static_cast<std::size_t>(trace));
}

std::optional<Metric> TraceSource::metric() const {
  const auto* metric = std::get_if<Metric>(&m_source);
  return metric == nullptr ? std::nullopt : std::optional(*metric);
}

std::optional<PacketTrace> TraceSource::packets() const {
  const auto* packets = std::get_if<PacketTrace>(&m_source);
  return packets == nullptr ? std::nullopt : std::optional(*packets);
}

std::string_view TraceSource::key() const {
  return metric() ? metricRow(*metric()).key : packetTraceRow(*packets()).key;
}

QString TraceSource::title() const {
  return toQString(metric() ? metricRow(*metric()).title : packetTraceRow(*packets()).title);
}

QString TraceSource::explanation() const {
  if (packets()) return toQString(packetTraceRow(*packets()).explanation);
  const MetricRow& row = metricRow(*metric());
  return toQString(row.explanation) + QStringLiteral("\n") + toQString(row.reading);
}

MetricUnit TraceSource::unit() const {
  return metric() ? metricRow(*metric()).unit : packetTraceRow(*packets()).unit;
}

MetricKind TraceSource::kind() const {
  return metric() ? metricRow(*metric()).kind : packetTraceRow(*packets()).kind;
}

QString TraceSource::textOf(double value) const {
  return metric() ? toQString(formatMetric(*metric(), value)) : valueLabel(unit(), value);
}

std::optional<TraceSource> findTraceSource(std::string_view key) {
  if (const MetricRow* row = findMetric(key)) return TraceSource(row->metric);
  const auto found = std::find_if(kPacketTraces.begin(), kPacketTraces.end(),
                                  [key](const PacketTraceRow& row) { return row.key == key; });
  return found == kPacketTraces.end() ? std::nullopt : std::optional(TraceSource(found->trace));
}

}  // namespace tcpscope
