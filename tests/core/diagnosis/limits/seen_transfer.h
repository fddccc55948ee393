// A transfer written down from the sender's point of view, seen from a capture point anywhere on the path: what the
// sender sends passes the point later, what it receives has passed there before.
//
// The client sends in segments of 1000 bytes, numbered from 0; the RTT is 100 ms, the window scale is 0.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/diagnosis/wire_diagnosis.h"
#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope::test {

inline constexpr double kRttSeconds = 0.1;

class SeenTransfer {
public:
  /// `place`: 0 at the sender, 1 at the receiver.
  explicit SeenTransfer(double place, bool withHandshake = true) : m_place(place) {
    if (!withHandshake) return;
    leaves(0.0, "S 0:0 win 65535 mss 1000 sackOK ws 0");
    arrives(kRttSeconds, "SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0");
    leaves(kRttSeconds, "A 1:1 ack 1");
  }

  /// The sender sends these segments at that moment, all at once.
  SeenTransfer& sends(double seconds, int first, int count = 1) {
    for (int segment = first; segment < first + count; ++segment) {
      leaves(seconds, fmt::format("A {}:{} ack 1", 1 + segment * 1000, 1 + (segment + 1) * 1000));
    }
    return *this;
  }
  /// The sender gets the acknowledgment of everything below this segment.
  SeenTransfer& learns(double seconds, int upTo, int windowBytes = 65535, const std::string& more = {}) {
    arrives(seconds, fmt::format("A 1:1 ack {} win {} {}", 1 + upTo * 1000, windowBytes, more));
    return *this;
  }
  /// The sender gets the acknowledgment of so many bytes.
  SeenTransfer& acknowledgesBytes(double seconds, int bytes) {
    arrives(seconds, fmt::format("A 1:1 ack {} win 65535", 1 + bytes));
    return *this;
  }
  /// Nothing but an acknowledgment of the sender's, for the time.
  SeenTransfer& ends(double seconds) {
    leaves(seconds, "A 1:1 ack 1");
    return *this;
  }

  /// The whole transfer, in the order of the capture.
  struct Result {
    ConnectionSummary flow;
    SenderWaits waits;
    SideDiagnosis diagnosis;
  };
  /// `lossPattern`: the cause that the pattern of the losses suggests.
  [[nodiscard]] Result seen(Cause lossPattern = Cause::unknown) const {
    std::vector<Line> lines = m_lines;
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seconds < b.seconds; });
    WireDirections wires;
    DrawnExchange exchange(
        [&wires](const PacketSample& packet, const FlowPacket& taken) { wires.take(packet, taken); });
    for (const Line& line : lines) exchange.add(fmt::format("{:.6f} {}", line.seconds, line.text));
    Result result;
    result.flow = exchange.summary();
    const std::size_t direction = result.flow.initiator == clientEnd() ? 0 : 1;
    const WireDirection* wire = wires.of(exchange.packets().front().connection->endpoint(0) == clientEnd() ? 0 : 1);
    if (wire != nullptr) result.waits = wire->limits.waits(result.flow.lastTime);
    result.diagnosis = diagnoseWire(result.flow, direction, wire, lossPattern);
    return result;
  }

  /// The sender sends this packet.
  void leaves(double seconds, const std::string& text) {
    m_lines.push_back({seconds + m_place * kRttSeconds / 2, "> " + text});
  }
  /// The sender gets this packet.
  void arrives(double seconds, const std::string& text) {
    m_lines.push_back({seconds - m_place * kRttSeconds / 2, "< " + text});
  }

private:
  struct Line {
    double seconds;
    std::string text;
  };

  double m_place;
  std::vector<Line> m_lines;
};

/// The same wherever it is captured.
inline constexpr std::array<double, 3> kPlaces = {0.0, 0.5, 1.0};

}  // namespace tcpscope::test
