#include "core/filter/filter_words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tcpscope {
namespace {

constexpr std::uint32_t bit(TcpState state) {
  return 1U << static_cast<unsigned>(state);
}
/// Linux numbers connections in SYN-RECEIVED by two states.
constexpr std::uint32_t kSynReceived = bit(TcpState::synReceived) | bit(TcpState::newSynReceived);
constexpr std::uint32_t kBucket = kSynReceived | bit(TcpState::timeWait);
constexpr std::uint32_t kConnected = kAllStates & ~(bit(TcpState::close) | bit(TcpState::listen));

struct StateWord {
  std::string_view word;
  std::uint32_t mask;
};
constexpr std::array kStateWords = {
    StateWord{"all", kAllStates},
    StateWord{"connected", kConnected},
    StateWord{"synchronized", kConnected & ~bit(TcpState::synSent)},
    StateWord{"bucket", kBucket},
    StateWord{"big", kAllStates & ~kBucket},
    StateWord{"established", bit(TcpState::established)},
    StateWord{"estab", bit(TcpState::established)},
    StateWord{"syn-sent", bit(TcpState::synSent)},
    StateWord{"syn-recv", kSynReceived},
    StateWord{"syn-received", kSynReceived},
    StateWord{"fin-wait-1", bit(TcpState::finWait1)},
    StateWord{"fin-wait-2", bit(TcpState::finWait2)},
    StateWord{"time-wait", bit(TcpState::timeWait)},
    StateWord{"unconnected", bit(TcpState::close)},
    StateWord{"closed", bit(TcpState::close)},
    StateWord{"close", bit(TcpState::close)},
    StateWord{"close-wait", bit(TcpState::closeWait)},
    StateWord{"last-ack", bit(TcpState::lastAck)},
    StateWord{"listen", bit(TcpState::listen)},
    StateWord{"listening", bit(TcpState::listen)},
    StateWord{"closing", bit(TcpState::closing)},
};

struct Service {
  std::string_view name;
  std::uint16_t port;
};
/// Names that people type; the host's own list is not read, so that a filter means the same everywhere.
constexpr std::array kServices = {
    Service{"ftp", 21},           Service{"ssh", 22},          Service{"telnet", 23},       Service{"smtp", 25},
    Service{"domain", 53},        Service{"dns", 53},          Service{"http", 80},         Service{"kerberos", 88},
    Service{"pop3", 110},         Service{"sunrpc", 111},      Service{"ntp", 123},         Service{"imap", 143},
    Service{"imap2", 143},        Service{"bgp", 179},         Service{"ldap", 389},        Service{"https", 443},
    Service{"microsoft-ds", 445}, Service{"submissions", 465}, Service{"submission", 587},  Service{"ldaps", 636},
    Service{"rsync", 873},        Service{"imaps", 993},       Service{"pop3s", 995},       Service{"nfs", 2049},
    Service{"mysql", 3306},       Service{"rdp", 3389},        Service{"postgresql", 5432}, Service{"postgres", 5432},
    Service{"amqp", 5672},        Service{"redis", 6379},      Service{"http-alt", 8080},   Service{"memcache", 11211},
    Service{"mongodb", 27017},    Service{"iperf3", 5201},
};

template <class Number>
std::optional<Number> wholeNumber(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// "10", "192.168", … filled up with zeros: how ss writes networks.
std::optional<IpAddress> shortIpv4(std::string_view word) {
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t part = 0; part < bytes.size(); ++part) {
    const std::size_t dot = word.find('.');
    const std::optional<std::uint8_t> number = wholeNumber<std::uint8_t>(word.substr(0, dot));
    if (!number) return std::nullopt;
    bytes[part] = *number;
    if (dot == std::string_view::npos) return IpAddress::v4(bytes);
    word.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

/// Splits ":port" off a word; an IPv6 address without brackets has no port.
std::string_view splitPort(std::string_view& word) {
  const std::size_t colon = word.rfind(':');
  const bool bracketed = word.starts_with('[');
  if (colon == std::string_view::npos || (bracketed && colon < word.rfind(']'))) return {};
  if (!bracketed && word.find(':') != colon) return {};
  const std::string_view port = word.substr(colon);
  word = word.substr(0, colon);
  return port;
}

}  // namespace

std::optional<std::uint32_t> stateSet(std::string_view word) {
  const std::string wanted = folded(word);
  const auto found = std::find_if(kStateWords.begin(), kStateWords.end(),
                                  [&](const StateWord& entry) { return entry.word == wanted; });
  if (found == kStateWords.end()) return std::nullopt;
  return found->mask;
}

std::optional<std::uint16_t> portNumber(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  if (const auto number = wholeNumber<std::uint16_t>(word)) return number;
  const std::string wanted = folded(word);
  const auto found =
      std::find_if(kServices.begin(), kServices.end(), [&](const Service& entry) { return entry.name == wanted; });
  if (found == kServices.end()) return std::nullopt;
  return found->port;
}

Expected<HostPattern, FilterError::Kind> hostPattern(std::string_view word) {
  HostPattern pattern;
  const std::string_view port = splitPort(word);
  if (!port.empty() && port != ":*") {
    pattern.port = portNumber(port);
    if (!pattern.port) return Unexpected<FilterError::Kind>(FilterError::Kind::badPort);
  }
  if (word == "*" || (word.empty() && !port.empty())) {
    pattern.anyAddress = true;
    return pattern;
  }
  const std::size_t slash = word.find('/');
  std::string_view address = word.substr(0, slash);
  if (address.size() > 1 && address.front() == '[' && address.back() == ']') {
    address = address.substr(1, address.size() - 2);
  }
  std::optional<IpAddress> parsed = IpAddress::parse(address);
  if (!parsed && slash != std::string_view::npos) parsed = shortIpv4(address);
  if (!parsed) return Unexpected<FilterError::Kind>(FilterError::Kind::badAddress);
  pattern.network = *parsed;
  const unsigned longest = parsed->family() == AddressFamily::ipv4 ? 32 : 128;
  pattern.prefixBits = longest;
  if (slash == std::string_view::npos) return pattern;
  const std::optional<unsigned> bits = wholeNumber<unsigned>(word.substr(slash + 1));
  if (!bits || *bits > longest) return Unexpected<FilterError::Kind>(FilterError::Kind::badAddress);
  pattern.prefixBits = *bits;
  return pattern;
}

std::optional<Limit> limitWord(std::string_view word) {
  const std::string wanted = folded(word);
  for (const Limit limit : kVerdictLimits) {
    if (folded(name(limit)) == wanted) return limit;
  }
  return std::nullopt;
}

}  // namespace tcpscope
