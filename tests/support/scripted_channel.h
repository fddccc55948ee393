// A kernel that answers from a script: what each request is answered with is written down by the test, so that damaged,
// foreign and lost messages come when they are wanted.
#pragma once

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "collectors/sock_diag/netlink_channel.h"
#include "collectors/sock_diag/netlink_message.h"

namespace tcpscope::test {

using MessageBytes = std::vector<std::byte>;

inline void append(MessageBytes& bytes, const void* from, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(from);
  bytes.insert(bytes.end(), first, first + size);
}

/// One inet_diag message without its netlink header: an established IPv4 connection with what a test sets.
struct DiagPayload {
  std::uint64_t cookie = 1;
  std::uint8_t family = AF_INET;
  std::uint8_t state = 1;
  std::uint32_t receiveQueue = 0;
  std::uint32_t expires = 0;
  std::uint8_t retries = 0;
  /// Attributes, already encoded.
  MessageBytes attributes{};

  DiagPayload& attribute(std::uint16_t type, const MessageBytes& value) {
    nlattr header{};
    header.nla_len = static_cast<std::uint16_t>(sizeof header + value.size());
    header.nla_type = type;
    append(attributes, &header, sizeof header);
    attributes.insert(attributes.end(), value.begin(), value.end());
    attributes.resize((attributes.size() + 3) / 4 * 4);
    return *this;
  }

  [[nodiscard]] MessageBytes bytes() const {
    inet_diag_msg message{};
    message.idiag_family = family;
    message.idiag_state = state;
    message.id.idiag_sport = htons(5001);
    message.id.idiag_dport = htons(443);
    message.id.idiag_src[0] = htonl(0xC0000201);
    message.id.idiag_dst[0] = htonl(0xC6336407);
    message.id.idiag_cookie[0] = static_cast<std::uint32_t>(cookie);
    message.id.idiag_cookie[1] = static_cast<std::uint32_t>(cookie >> 32);
    message.idiag_rqueue = receiveQueue;
    message.idiag_expires = expires;
    message.idiag_retrans = retries;
    message.idiag_inode = 77;
    MessageBytes result;
    append(result, &message, sizeof message);
    result.insert(result.end(), attributes.begin(), attributes.end());
    return result;
  }
};

/// What the script answers; port and sequence are filled in to fit the request, unless they are given.
struct ScriptedMessage {
  std::uint16_t type = SOCK_DIAG_BY_FAMILY;
  MessageBytes payload{};
  std::uint16_t flags = NLM_F_MULTI;
  std::uint32_t sequenceOffset = 0;
  std::uint32_t portOffset = 0;
  /// Bytes taken off the end of the datagram.
  std::size_t cut = 0;
  /// Instead of a message: receive() fails with this errno.
  int failure = 0;
};

inline ScriptedMessage socketMessage(const DiagPayload& payload) {
  return {.payload = payload.bytes()};
}
inline ScriptedMessage endOfDump() {
  return {.type = NLMSG_DONE, .payload = MessageBytes(4)};
}
inline ScriptedMessage kernelError(int number) {
  const std::int32_t status = -number;
  MessageBytes payload;
  append(payload, &status, sizeof status);
  payload.resize(sizeof(nlmsgerr));
  return {.type = NLMSG_ERROR, .payload = payload};
}
inline ScriptedMessage failedReceive(int number) {
  return {.failure = number};
}

/// The answers to each request in turn; a request beyond the script gets the end of an empty dump.
using Script = std::deque<std::vector<ScriptedMessage>>;

class ScriptedChannel final : public NetlinkChannel {
public:
  static constexpr std::uint32_t kPort = 4711;

  explicit ScriptedChannel(std::shared_ptr<Script> script) : m_script(std::move(script)) {}

  Expected<void, NetlinkError> send(std::span<const std::byte> message) override {
    NetlinkMessages requests(message);
    while (const auto request = requests.next()) {
      std::vector<ScriptedMessage> answers{endOfDump()};
      if (!m_script->empty()) {
        answers = m_script->front();
        m_script->pop_front();
      }
      for (ScriptedMessage& answer : answers) m_waiting.push_back({std::move(answer), request->header.nlmsg_seq});
    }
    return {};
  }

  Expected<std::size_t, NetlinkError> receive(std::span<std::byte> buffer) override {
    using Error = Unexpected<NetlinkError>;
    if (m_waiting.empty()) return Error(netlinkError(NetlinkError::Attempt::receive, EAGAIN));
    const auto [message, sequence] = m_waiting.front();
    m_waiting.pop_front();
    if (message.failure != 0) return Error(netlinkError(NetlinkError::Attempt::receive, message.failure));
    nlmsghdr header{};
    header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + message.payload.size());
    header.nlmsg_type = message.type;
    header.nlmsg_flags = message.flags;
    header.nlmsg_seq = sequence + message.sequenceOffset;
    header.nlmsg_pid = kPort + message.portOffset;
    MessageBytes bytes;
    append(bytes, &header, sizeof header);
    bytes.insert(bytes.end(), message.payload.begin(), message.payload.end());
    bytes.resize(bytes.size() - message.cut);
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    return bytes.size();
  }

  bool waitReadable(Milliseconds) override { return !m_waiting.empty(); }
  [[nodiscard]] int descriptor() const override { return -1; }
  [[nodiscard]] std::uint32_t portId() const override { return kPort; }

private:
  std::shared_ptr<Script> m_script;
  /// Each with the sequence number of its request.
  std::deque<std::pair<ScriptedMessage, std::uint32_t>> m_waiting;
};

/// A place whose kernel follows the script and whose clock goes on by a microsecond at each poll.
struct ScriptedPlace {
  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::shared_ptr<Moment> clock = std::make_shared<Moment>();
  /// How often a channel for requests was opened.
  std::shared_ptr<int> opened = std::make_shared<int>(0);

  [[nodiscard]] SockDiagAccess access() const {
    return {[script = script, opened = opened] {
              ++*opened;
              return Expected<NetlinkChannelPointer, NetlinkError>(std::make_unique<ScriptedChannel>(script));
            },
            [] {
              return Expected<NetlinkChannelPointer, NetlinkError>(
                  Unexpected<NetlinkError>(netlinkError(NetlinkError::Attempt::joinGroup, EPERM)));
            },
            [clock = clock] { return *clock = *clock + Microseconds(1); }};
  }
};

}  // namespace tcpscope::test
