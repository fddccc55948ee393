#include "core/changes/socket_option.h"

#include <algorithm>
#include <array>

namespace tcpscope {

namespace {

using enum SocketOption;
using Unit = OptionUnit;

constexpr std::uint64_t kKibi = 1024;
constexpr std::uint64_t kGibi = kKibi * kKibi * kKibi;
constexpr std::uint64_t kLargestInt = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kLargestUnsigned = std::numeric_limits<std::uint32_t>::max();

// Ranges are narrower than the kernel's where it accepts obvious mistakes: it silently raises a buffer of one byte to
// its minimum.
constexpr std::array<SocketOptionRow, kSocketOptions> kOptions = {{
    // The kernel doubles it, in a signed number.
    {sendBuffer, "SO_SNDBUF", Unit::bytes, Changeable::live, 4 * kKibi, kGibi / 2},
    {receiveBuffer, "SO_RCVBUF", Unit::bytes, Changeable::live, 4 * kKibi, kGibi / 2},
    {bufferLock, "SO_BUF_LOCK", Unit::bufferLocks, Changeable::live, 0, kSendBufferLock | kReceiveBufferLock},
    {windowClamp, "TCP_WINDOW_CLAMP", Unit::bytes, Changeable::live, 2 * kKibi, kGibi},
    {congestionControl, "TCP_CONGESTION", Unit::name, Changeable::live},
    {maxPacingRate, "SO_MAX_PACING_RATE", Unit::bytesPerSecond, Changeable::live, 1'000, 1'000'000'000'000, kUnlimited},
    // 0 follows net.ipv4.tcp_notsent_lowat.
    {notSentLowWater, "TCP_NOTSENT_LOWAT", Unit::bytes, Changeable::live, 0, kLargestInt, kLargestUnsigned},
    {noDelay, "TCP_NODELAY", Unit::onOff, Changeable::live, 0, 1},
    {cork, "TCP_CORK", Unit::onOff, Changeable::live, 0, 1},
    {quickAck, "TCP_QUICKACK", Unit::onOff, Changeable::notKept, 0, 1},
    // 0 follows net.ipv4.tcp_retries2.
    {userTimeout, "TCP_USER_TIMEOUT", Unit::milliseconds, Changeable::live, 0, kLargestInt},
    {retransmitTimeoutMin, "TCP_RTO_MIN_US", Unit::microseconds, Changeable::live, 2'000, 200'000},
    {retransmitTimeoutMax, "TCP_RTO_MAX_MS", Unit::milliseconds, Changeable::live, 1'000, 120'000},
    {delayedAckMax, "TCP_DELACK_MAX_US", Unit::microseconds, Changeable::live, 2'000, 200'000},
    {keepAlive, "SO_KEEPALIVE", Unit::onOff, Changeable::live, 0, 1},
    {keepAliveIdle, "TCP_KEEPIDLE", Unit::seconds, Changeable::live, 1, 32'767},
    {keepAliveInterval, "TCP_KEEPINTVL", Unit::seconds, Changeable::live, 1, 32'767},
    {keepAliveProbes, "TCP_KEEPCNT", Unit::number, Changeable::live, 1, 127},
    {maxSegment, "TCP_MAXSEG", Unit::bytes, Changeable::atStart},
}};

constexpr bool isInOrder() {
  for (std::size_t index = 0; index < kOptions.size(); ++index) {
    if (static_cast<std::size_t>(kOptions[index].id) != index) return false;
  }
  return true;
}
static_assert(isInOrder());

constexpr char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

}  // namespace

std::string_view name(Changeable changeable) {
  switch (changeable) {
    case Changeable::live:
      return "live";
    case Changeable::notKept:
      return "not_kept";
    case Changeable::atStart:
      return "at_start";
  }
  return {};
}

std::span<const SocketOptionRow> socketOptions() {
  return kOptions;
}

const SocketOptionRow& optionRow(SocketOption option) {
  return kOptions.at(static_cast<std::size_t>(option));
}

bool isBufferSize(SocketOption option) {
  return option == SocketOption::sendBuffer || option == SocketOption::receiveBuffer;
}

const SocketOptionRow* optionNamed(std::string_view name) {
  const auto isNamed = [name](const SocketOptionRow& row) {
    return std::equal(row.name.begin(), row.name.end(), name.begin(), name.end(),
                      [](char one, char other) { return one == upper(other); });
  };
  const auto* const row = std::find_if(kOptions.begin(), kOptions.end(), isNamed);
  return row == kOptions.end() ? nullptr : row;
}

}  // namespace tcpscope
