// A TCP exchange drawn in text, one packet a line, as the capture point saw it:
//
//     0.000 > S 0:0 mss 1460 sackOK ws 7
//     0.040 < SA 0:0 ack 1
//     0.041 > A 1:1001 ack 1 win 500 id 7 ts 17/5 sack 2001-3001
//
// Seconds, direction (> from the client, 10.0.0.1:50000; < from the server, 10.0.0.2:80), flags, first and next
// sequence number relative to that end's initial one, then what else there is. Numbers of `ack` and `sack` are relative
// to the other end's. A window that is not given is 1000.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/wire/flow/flow_table.h"

namespace tcpscope::test {

inline constexpr std::uint32_t kClientInitial = 1'000;
/// The server's numbers wrap soon.
inline constexpr std::uint32_t kServerInitial = 0xFFFF'FF00;

inline Endpoint clientEnd() {
  return {IpAddress::v4({10, 0, 0, 1}), 50'000};
}
inline Endpoint serverEnd() {
  return {IpAddress::v4({10, 0, 0, 2}), 80};
}

class DrawnExchange {
public:
  /// Is shown each packet and what it was.
  using Follower = std::function<void(const PacketSample&, const FlowPacket&)>;

  DrawnExchange() = default;
  explicit DrawnExchange(Follower follower) : m_follower(std::move(follower)) {}
  explicit DrawnExchange(const std::string& text) { add(text); }

  void add(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find_first_not_of(' ') != std::string::npos) addPacket(line);
    }
  }
  [[nodiscard]] const std::vector<FlowPacket>& packets() const { return m_packets; }
  /// The packets as they were taken, for what shall take them, too.
  [[nodiscard]] std::vector<PacketSample> samples() const {
    std::vector<PacketSample> samples = m_samples;
    for (std::size_t index = 0; index < samples.size(); ++index) samples[index].options = m_optionsOf[index];
    return samples;
  }
  [[nodiscard]] const FlowPacket& last() const { return m_packets.back(); }
  [[nodiscard]] FlowTable& table() { return m_table; }
  [[nodiscard]] std::size_t connectionCount() const { return m_table.connections().size(); }
  [[nodiscard]] ConnectionSummary summary(std::size_t index = 0) const {
    return m_table.connections()[index]->summary();
  }
  /// Summary of the client's data; the server's is `server()`.
  [[nodiscard]] DirectionSummary client() const { return side(clientEnd()); }
  [[nodiscard]] DirectionSummary server() const { return side(serverEnd()); }

private:
  static std::uint32_t initialOf(bool isClient) { return isClient ? kClientInitial : kServerInitial; }

  [[nodiscard]] DirectionSummary side(const Endpoint& end) const {
    const ConnectionSummary whole = m_table.connections().back()->summary();
    return whole.directions[whole.initiator == end ? 0 : 1];
  }
  void put(unsigned value) { m_options.push_back(static_cast<std::byte>(value)); }
  void putWord(std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) put(value >> shift & 0xFF);
  }
  void putSack(std::istringstream& words, std::uint32_t base) {
    const std::size_t lengthAt = m_options.size() + 1;
    put(5);
    put(2);
    for (std::string block; words >> block;) {
      const std::size_t dash = block.find('-');
      putWord(base + static_cast<std::uint32_t>(std::stoul(block)));
      putWord(base + static_cast<std::uint32_t>(std::stoul(block.substr(dash + 1))));
      m_options[lengthAt] = static_cast<std::byte>(m_options.size() - lengthAt + 1);
    }
  }
  void takeWord(const std::string& word, std::istringstream& words, PacketSample& packet, std::uint32_t otherBase) {
    std::uint32_t number = 0;
    if (word == "sackOK") {
      put(4), put(2);
    } else if (word == "sack") {
      putSack(words, otherBase);
    } else if (word == "ts") {
      std::uint32_t echo = 0;
      char slash = 0;
      words >> number >> slash >> echo;
      put(1), put(1), put(8), put(10), putWord(number), putWord(echo);
    } else if (!(words >> number)) {
      throw std::invalid_argument("a number should follow: " + word);
    } else if (word == "ack") {
      packet.acknowledgment = otherBase + number;
    } else if (word == "win") {
      packet.window = static_cast<std::uint16_t>(number);
    } else if (word == "id") {
      packet.identification = static_cast<std::uint16_t>(number);
    } else if (word == "ttl") {
      packet.hopLimit = static_cast<std::uint8_t>(number);
    } else if (word == "mss") {
      put(2), put(4), put(number >> 8 & 0xFF), put(number & 0xFF);
    } else if (word == "ws") {
      put(3), put(3), put(number);
    } else {
      throw std::invalid_argument("no such word: " + word);
    }
  }
  static TcpFlags flagsOf(const std::string& letters) {
    static const std::string kLetters = "FSRPAUEC";
    TcpFlags flags;
    for (const char letter : letters) {
      flags.bits = static_cast<std::uint8_t>(flags.bits | 1U << kLetters.find(letter));
    }
    return flags;
  }
  void addPacket(const std::string& line) {
    std::istringstream words(line);
    double seconds = 0;
    std::string direction;
    std::string flags;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    char colon = 0;
    if (!(words >> seconds >> direction >> flags >> begin >> colon >> end)) throw std::invalid_argument(line);
    const bool isClient = direction == ">";
    PacketSample packet;
    packet.time = WallTime::fromNanoseconds(1'000'000'000'000 + std::llround(seconds * 1e9));
    packet.source = isClient ? clientEnd() : serverEnd();
    packet.destination = isClient ? serverEnd() : clientEnd();
    packet.sequence = initialOf(isClient) + begin;
    packet.payloadBytes = end - begin;
    packet.window = 1000;
    packet.flags = flagsOf(flags);
    m_options.clear();
    for (std::string word; words >> word;) takeWord(word, words, packet, initialOf(!isClient));
    packet.options = m_options;
    packet.number = m_packets.size();
    m_packets.push_back(m_table.take(packet));
    if (m_follower) m_follower(packet, m_packets.back());
    m_samples.push_back(packet);
    m_optionsOf.push_back(m_options);
  }

  Follower m_follower;
  FlowTable m_table;
  std::vector<FlowPacket> m_packets;
  std::vector<PacketSample> m_samples;
  std::vector<std::vector<std::byte>> m_optionsOf;
  std::vector<std::byte> m_options;
};

/// A handshake over a path of 100 ms, captured at the client.
inline const char* const kHandshake = R"(
  0.000 > S 0:0 mss 1460 sackOK
  0.100 < SA 0:0 ack 1 mss 1460 sackOK
  0.100 > A 1:1 ack 1
)";

/// The causes of the retransmissions in their order.
inline std::vector<RetransmissionCause> causes(const DirectionSummary& direction) {
  std::vector<RetransmissionCause> causes;
  for (const Retransmission& one : direction.retransmissions) causes.push_back(one.cause());
  return causes;
}

}  // namespace tcpscope::test
