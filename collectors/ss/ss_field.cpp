#include "collectors/ss/ss_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "collectors/ss/ss_number.h"

namespace tcpscope {

namespace {

/// How the number in a word is written, and how it lies in the structure.
enum class Form : std::uint8_t {
  number,
  /// Milliseconds with up to six digits; microseconds in the structure.
  milliseconds,
  /// "12ms", cut to whole ones, with a share behind it; microseconds in the structure.
  chronograph
};

constexpr ReleaseNumber kAlways{2, 6};
constexpr ReleaseNumber kLinux41{4, 1};
constexpr ReleaseNumber kLinux42{4, 2};
constexpr ReleaseNumber kLinux46{4, 6};
constexpr ReleaseNumber kLinux49{4, 9};
constexpr ReleaseNumber kLinux410{4, 10};
constexpr ReleaseNumber kLinux418{4, 18};
constexpr ReleaseNumber kLinux419{4, 19};
constexpr ReleaseNumber kLinux54{5, 4};
/// By then it prints all that Linux 4.19 reports.
constexpr ReleaseNumber kSs55{5, 5};
/// By then it prints what Linux 5.4 added.
constexpr ReleaseNumber kSs61{6, 1};
/// Its absence says more than one thing: without limit, or not measured, or zero.
constexpr ReleaseNumber kNever{std::numeric_limits<std::uint32_t>::max(), 0};

struct SsWord {
  std::string_view name;
  std::uint16_t offset;
  std::uint8_t size;
  Form form;
  ReleaseNumber sinceKernel;
  ReleaseNumber sinceSs;
};

template <class Field>
constexpr SsWord word(std::string_view name, const Field& field, ReleaseNumber sinceKernel, Form form = Form::number,
                      ReleaseNumber sinceSs = kSs55) {
  return {name, field.offset, static_cast<std::uint8_t>(Field::kSize), form, sinceKernel, sinceSs};
}

constexpr std::array kWords = {
    word("rto", tcp_info::kRto, kNever, Form::milliseconds),
    word("backoff", tcp_info::kBackoff, kAlways),
    word("ato", tcp_info::kAto, kAlways, Form::milliseconds),
    word("mss", tcp_info::kSndMss, kAlways),
    word("pmtu", tcp_info::kPmtu, kAlways),
    word("rcvmss", tcp_info::kRcvMss, kAlways),
    word("advmss", tcp_info::kAdvmss, kAlways),
    word("cwnd", tcp_info::kSndCwnd, kAlways),
    word("ssthresh", tcp_info::kSndSsthresh, kNever),
    word("bytes_sent", tcp_info::kBytesSent, kLinux419),
    word("bytes_retrans", tcp_info::kBytesRetrans, kLinux419),
    word("bytes_acked", tcp_info::kBytesAcked, kLinux41),
    word("bytes_received", tcp_info::kBytesReceived, kLinux41),
    word("segs_out", tcp_info::kSegsOut, kLinux42),
    word("segs_in", tcp_info::kSegsIn, kLinux42),
    word("data_segs_out", tcp_info::kDataSegsOut, kLinux46),
    word("data_segs_in", tcp_info::kDataSegsIn, kLinux46),
    word("lastsnd", tcp_info::kLastDataSent, kAlways),
    word("lastrcv", tcp_info::kLastDataRecv, kAlways),
    word("lastack", tcp_info::kLastAckRecv, kAlways),
    word("delivered", tcp_info::kDelivered, kLinux418),
    word("delivered_ce", tcp_info::kDeliveredCe, kLinux418),
    word("busy", tcp_info::kBusyTime, kLinux410, Form::chronograph),
    word("rwnd_limited", tcp_info::kRwndLimited, kLinux410, Form::chronograph),
    word("sndbuf_limited", tcp_info::kSndbufLimited, kLinux410, Form::chronograph),
    word("unacked", tcp_info::kUnacked, kAlways),
    word("lost", tcp_info::kLost, kAlways),
    word("sacked", tcp_info::kSacked, kAlways),
    word("dsack_dups", tcp_info::kDsackDups, kLinux419),
    word("fackets", tcp_info::kFackets, kAlways),
    word("reordering", tcp_info::kReordering, kAlways),
    word("reord_seen", tcp_info::kReordSeen, kLinux419),
    word("rcv_rtt", tcp_info::kRcvRtt, kAlways, Form::milliseconds),
    word("rcv_space", tcp_info::kRcvSpace, kAlways),
    word("rcv_ssthresh", tcp_info::kRcvSsthresh, kAlways),
    word("notsent", tcp_info::kNotsentBytes, kLinux46),
    word("minrtt", tcp_info::kMinRtt, kNever, Form::milliseconds),
    word("rcv_ooopack", tcp_info::kRcvOoopack, kLinux54, Form::number, kSs61),
    word("snd_wnd", tcp_info::kSndWnd, kLinux54, Form::number, kSs61),
    word("rcv_wnd", tcp_info::kRcvWnd, kNever),
    word("rehash", tcp_info::kRehash, kNever),
};

struct Flag {
  std::string_view word;
  std::uint8_t bit;
};

/// TCPI_OPT_*; TCPI_OPT_WSCALE comes with its word.
constexpr std::array kFlags = {Flag{"ts", 1}, Flag{"sack", 2}, Flag{"ecn", 8}, Flag{"ecnseen", 16},
                               Flag{"fastopen", 32}};
constexpr std::uint8_t kWindowScaleBit = 4;
/// ss leaves it out where it is this (misc/ss.c, tcp_stats_print).
constexpr std::uint64_t kUsualReordering = 3;

std::optional<std::uint64_t> valueOf(std::string_view text, Form form) {
  switch (form) {
    case Form::number:
      return wholeNumber(text);
    case Form::milliseconds:
      return microsecondsOf(text);
    case Form::chronograph:
      break;
  }
  constexpr std::uint64_t kMicroseconds = 1000;
  const std::size_t unit = text.find("ms");
  const auto milliseconds = wholeNumber(text.substr(0, unit));
  if (unit == std::string_view::npos || !milliseconds) return std::nullopt;
  if (*milliseconds > std::numeric_limits<std::uint64_t>::max() / kMicroseconds) return std::nullopt;
  return *milliseconds * kMicroseconds;
}

}  // namespace

void SsFields::putRaw(std::size_t offset, std::size_t size, std::uint64_t raw) {
  const unsigned bits = static_cast<unsigned>(8 * size);
  // Damaged, or of a kernel with wider fields: not what it says.
  if (bits < 64 && raw >> bits != 0) return;
  std::memcpy(m_bytes.data() + offset, &raw, size);
  m_holes.fill(offset, size);
  m_hasAny = true;
}

template <class Field>
void SsFields::put(const Field& field, std::uint64_t raw) {
  putRaw(field.offset, Field::kSize, raw);
}

void SsFields::setState(TcpState state) {
  m_state = state;
}

bool SsFields::takePair(std::string_view name, std::string_view value) {
  const std::size_t comma = value.find_first_of(",/");
  if (comma == std::string_view::npos) return false;
  const std::string_view first = value.substr(0, comma);
  const std::string_view second = value.substr(comma + 1);
  if (name == "rtt") {
    const auto mean = microsecondsOf(first);
    const auto deviation = microsecondsOf(second);
    if (mean) put(tcp_info::kRtt, *mean);
    if (deviation) put(tcp_info::kRttvar, *deviation);
    return true;
  }
  const auto one = wholeNumber(first);
  const auto other = wholeNumber(second);
  if (name == "retrans" && one && other) {
    put(tcp_info::kRetrans, *one);
    put(tcp_info::kTotalRetrans, *other);
  }
  if (name == "wscale" && one && other && *one < 16 && *other < 16) {
    put(tcp_info::kSndWscale, *one | *other << 4);
    m_options |= kWindowScaleBit;
  }
  return name == "retrans" || name == "wscale";
}

bool SsFields::takeNamed(std::string_view name, std::string_view value) {
  if (takePair(name, value)) return true;
  const auto* const known =
      std::find_if(kWords.begin(), kWords.end(), [name](const SsWord& one) { return one.name == name; });
  if (known == kWords.end()) return false;
  if (const auto raw = valueOf(value, known->form)) putRaw(known->offset, known->size, *raw);
  return true;
}

bool SsFields::takeRate(std::string_view name, std::string_view value) {
  const std::size_t slash = value.find('/');
  const auto rate = bytesPerSecondOf(value.substr(0, slash));
  if (name == "delivery_rate" && rate) put(tcp_info::kDeliveryRate, *rate);
  if (name == "pacing_rate" && rate) put(tcp_info::kPacingRate, *rate);
  const auto most = slash == std::string_view::npos ? std::nullopt : bytesPerSecondOf(value.substr(slash + 1));
  if (name == "pacing_rate" && most) put(tcp_info::kMaxPacingRate, *most);
  return name == "delivery_rate" || name == "pacing_rate" || name == "send";
}

bool SsFields::takeFlag(std::string_view word) {
  if (word == "app_limited") return m_isAppLimited = true;
  const auto* const flag =
      std::find_if(kFlags.begin(), kFlags.end(), [word](const Flag& one) { return one.word == word; });
  if (flag == kFlags.end()) return false;
  m_options |= flag->bit;
  return true;
}

void SsFields::take(std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view one = words[i];
    const std::size_t colon = one.find(':');
    if (colon != std::string_view::npos) {
      takeNamed(one.substr(0, colon), one.substr(colon + 1));
    } else if (i + 1 < words.size() && takeRate(one, words[i + 1])) {
      ++i;
    } else if (!takeFlag(one) && m_congestionControl.empty() && !m_hasAny) {
      // The one name among the words, before the first figure.
      m_congestionControl = one;
    }
  }
}

TcpInfoSample SsFields::sample(const SsDialect& dialect) const {
  if (!m_hasAny) return {};
  SsFields whole = *this;
  whole.put(tcp_info::kState, static_cast<std::uint64_t>(m_state));
  for (const SsWord& one : kWords) {
    if (!m_holes.at(one.offset) || !dialect.prints(one.sinceKernel, one.sinceSs)) continue;
    whole.putRaw(one.offset, one.size, one.offset == tcp_info::kReordering.offset ? kUsualReordering : 0);
  }
  // A listener's longest queue, which ss shows as the socket's send queue only.
  if (m_state == TcpState::listen) whole.m_holes.dig(tcp_info::kSacked.offset);
  if (!dialect.prints(kAlways, kSs55)) return TcpInfoSample(whole.m_bytes, AccecnLayout::unknown, whole.m_holes);
  whole.put(tcp_info::kOptions, m_options);
  if (m_holes.at(tcp_info::kSndWscale.offset)) whole.put(tcp_info::kSndWscale, 0);
  if (m_holes.at(tcp_info::kTotalRetrans.offset)) {
    whole.put(tcp_info::kRetrans, 0);
    whole.put(tcp_info::kTotalRetrans, 0);
  }
  if (dialect.kernel >= kLinux49) whole.put(tcp_info::kDeliveryRateAppLimited, m_isAppLimited ? 1 : 0);
  return TcpInfoSample(whole.m_bytes, AccecnLayout::unknown, whole.m_holes);
}

}  // namespace tcpscope
