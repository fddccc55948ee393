// Netlink messages for tests, put together attribute by attribute.
#pragma once

#include <linux/netlink.h>

#include <cstdint>
#include <string_view>

#include "tests/support/scripted_channel.h"

namespace tcpscope::test {

/// The body of one message: its own head, then attributes; a nested one takes another's bytes.
class NetlinkBody {
public:
  NetlinkBody() = default;
  template <class Head>
  explicit NetlinkBody(const Head& head) {
    append(m_bytes, &head, sizeof head);
  }

  NetlinkBody& attribute(std::uint16_t type, const MessageBytes& value) {
    nlattr header{};
    header.nla_len = static_cast<std::uint16_t>(sizeof header + value.size());
    header.nla_type = type;
    append(m_bytes, &header, sizeof header);
    m_bytes.insert(m_bytes.end(), value.begin(), value.end());
    m_bytes.resize((m_bytes.size() + 3) / 4 * 4);
    return *this;
  }
  template <class Value>
  NetlinkBody& value(std::uint16_t type, const Value& value) {
    MessageBytes bytes;
    append(bytes, &value, sizeof value);
    return attribute(type, bytes);
  }
  NetlinkBody& text(std::uint16_t type, std::string_view text) {
    MessageBytes bytes;
    append(bytes, text.data(), text.size());
    bytes.push_back(std::byte{0});
    return attribute(type, bytes);
  }
  [[nodiscard]] const MessageBytes& bytes() const { return m_bytes; }

private:
  MessageBytes m_bytes;
};

/// A kernel that answers what is asked of `protocol` with the script's messages.
inline auto scriptedNetlink(std::shared_ptr<Script> script) {
  return [script = std::move(script)](int) {
    return Expected<NetlinkChannelPointer, NetlinkError>(std::make_unique<ScriptedChannel>(script));
  };
}

}  // namespace tcpscope::test
