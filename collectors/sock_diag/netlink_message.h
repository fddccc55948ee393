// Cuts a datagram into netlink messages, and a message into attributes, without copying and without trusting a length.
//
// Bytes are read by memcpy: a test or a recording may place them at any address. After the first length that does not
// fit, the rest of the datagram is `cut` and nothing more comes out of it.
#pragma once

#include <linux/netlink.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace tcpscope {

struct NetlinkMessage {
  nlmsghdr header{};
  std::span<const std::byte> payload;
};

class NetlinkMessages {
public:
  explicit NetlinkMessages(std::span<const std::byte> datagram) : m_rest(datagram) {}

  /// The next whole message; nothing at the end, or where the bytes are cut.
  std::optional<NetlinkMessage> next() {
    if (m_rest.empty()) return std::nullopt;
    NetlinkMessage message;
    if (m_rest.size() < sizeof message.header) return cutHere();
    std::memcpy(&message.header, m_rest.data(), sizeof message.header);
    const std::size_t length = message.header.nlmsg_len;
    if (length < sizeof message.header || length > m_rest.size()) return cutHere();
    message.payload = m_rest.subspan(sizeof message.header, length - sizeof message.header);
    m_rest = m_rest.subspan(std::min<std::size_t>(NLMSG_ALIGN(length), m_rest.size()));
    return message;
  }

  [[nodiscard]] bool cut() const { return m_cut; }

private:
  std::optional<NetlinkMessage> cutHere() {
    m_cut = true;
    m_rest = {};
    return std::nullopt;
  }

  std::span<const std::byte> m_rest;
  bool m_cut = false;
};

struct NetlinkAttribute {
  std::uint16_t type = 0;
  std::span<const std::byte> value;
};

class NetlinkAttributes {
public:
  explicit NetlinkAttributes(std::span<const std::byte> bytes) : m_rest(bytes) {}

  // Always inline, as are the fields of TCP_INFO: an optional that a call returns is read back from memory.
  [[gnu::always_inline]] std::optional<NetlinkAttribute> next() {
    if (m_rest.size() < sizeof(nlattr)) return std::nullopt;
    nlattr header;
    std::memcpy(&header, m_rest.data(), sizeof header);
    if (header.nla_len < sizeof header || header.nla_len > m_rest.size()) {
      m_cut = true;
      m_rest = {};
      return std::nullopt;
    }
    NetlinkAttribute attribute;
    attribute.type = static_cast<std::uint16_t>(header.nla_type & kTypeMask);
    attribute.value = m_rest.subspan(sizeof header, header.nla_len - sizeof header);
    m_rest = m_rest.subspan(std::min<std::size_t>(NLA_ALIGN(header.nla_len), m_rest.size()));
    return attribute;
  }

  /// True after a length that does not fit.
  [[nodiscard]] bool cut() const { return m_cut; }

private:
  /// Without the two flag bits that an attribute's type may carry.
  static constexpr unsigned kTypeMask = 0x3fff;

  std::span<const std::byte> m_rest;
  bool m_cut = false;
};

}  // namespace tcpscope
