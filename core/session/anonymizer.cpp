#include "core/session/anonymizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/host/sysctl_values.h"
#include "core/model/loss_report.h"

namespace tcpscope {

namespace {

constexpr std::size_t kDocumentAddresses = 254;
/// 198.18.1.0 to 198.19.255.255, of which each network of 256 gives 254.
constexpr std::size_t kBenchmarkAddresses = std::size_t{511} * 254;

std::array<std::uint8_t, 4> ipv4Placeholder(std::size_t number) {
  const auto octet = [](std::size_t value) { return static_cast<std::uint8_t>(value & 0xffU); };
  if (number < kDocumentAddresses) return {192, 0, 2, octet(number + 1)};
  if (number < kDocumentAddresses + kBenchmarkAddresses) {
    const std::size_t network = number / 254;
    return {198, octet(18 + network / 256), octet(network), octet(number % 254 + 1)};
  }
  const std::size_t rest = number - kDocumentAddresses - kBenchmarkAddresses;
  return {octet(240 + (rest >> 24U) % 15), octet(rest >> 16U), octet(rest >> 8U), octet(rest)};
}

/// Of the same family as `address`; IPv4-mapped stays IPv4-mapped.
IpAddress placeholderFor(const IpAddress& address, std::size_t number) {
  if (address.unmapped().family() == AddressFamily::ipv6) {
    const std::size_t low = number + 1;
    const auto octet = [low](unsigned shift) { return static_cast<std::uint8_t>(low >> shift & 0xffU); };
    return IpAddress::v6({0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, octet(24), octet(16), octet(8), octet(0)});
  }
  const std::array<std::uint8_t, 4> plain = ipv4Placeholder(number);
  if (address.family() == AddressFamily::ipv4) return IpAddress::v4(plain);
  return IpAddress::v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, plain[0], plain[1], plain[2], plain[3]});
}

/// "6.1" of "6.1.0-28-amd64"; empty where it does not begin so.
std::string majorAndMinor(std::string_view release) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t dot = release.find_first_not_of(kDigits);
  if (dot == 0 || dot == std::string_view::npos || release[dot] != '.') return {};
  const std::size_t end = std::min(release.find_first_not_of(kDigits, dot + 1), release.size());
  return end == dot + 1 ? std::string() : std::string(release.substr(0, end));
}

}  // namespace

UntrustedText Placeholders::operator()(const UntrustedText& name) {
  if (name.empty()) return name;
  return UntrustedText(fmt::format("{}-{}", m_kind, m_numbers(name.rawBytes()) + 1));
}

void Anonymizer::hide(Place& place) {
  place.host = m_hosts(place.host);
  place.bootId.clear();
  place.networkNamespace.clear();
  place.container.clear();
  place.kernel = UntrustedText(majorAndMinor(place.kernel.rawBytes()));
  place.recording = m_files(place.recording);
  if (place.settings) place.settings = hidden(*place.settings);
}

void Anonymizer::hideNamespaces(SourceEvent& event) {
  auto report = lossReportOf(event);
  if (!report) return;
  report->networkNamespace.reset();
  if (report->match) report->match->networkNamespace.reset();
  event.payload = encodeLossReport(*report);
}

std::shared_ptr<const SysctlValues> Anonymizer::hidden(const SysctlValues& settings) {
  SysctlValues other;
  for (const auto& [key, value] : settings.all()) other.set(hiddenKey(key), value);
  return std::make_shared<const SysctlValues>(std::move(other));
}

std::string Anonymizer::hiddenKey(const std::string& key) {
  const auto setting = readLinkSettingKey(key);
  if (!setting) return key;
  const UntrustedText name = m_interfaces(UntrustedText(std::string(setting->interface)));
  return linkSettingKey({name.rawBytes(), setting->what});
}

void Anonymizer::hide(ChangeMark& mark) {
  mark.key = UntrustedText(hiddenKey(mark.key.rawBytes()));
}

void Anonymizer::hide(Endpoint& end) {
  const IpAddress plain = end.address.unmapped();
  if (plain.isLoopback() || plain.isUnspecified()) return;
  end.address = placeholderFor(end.address, m_addresses(plain));
}

void Anonymizer::hide(SocketObservation& socket) {
  hide(socket.local);
  hide(socket.remote);
  if (socket.userId == 0) return;
  // A directory service numbers persons.
  constexpr std::uint32_t kFirstUserId = 1000;
  socket.userId = kFirstUserId + static_cast<std::uint32_t>(m_userIds(socket.userId));
}

void Anonymizer::hide(Owner& owner) {
  owner.processName = m_programs(owner.processName);
  if (owner.userName) owner.userName = m_users(*owner.userName);
  if (owner.unitOrContainer) owner.unitOrContainer = m_units(*owner.unitOrContainer);
}

std::shared_ptr<const Owner> Anonymizer::hidden(const std::shared_ptr<const Owner>& owner) {
  if (!owner) return owner;
  auto other = std::make_shared<Owner>(*owner);
  hide(*other);
  return other;
}

void Anonymizer::hide(ConnectionDetail& detail) {
  hide(detail.socket);
  detail.row.local = detail.socket.local;
  detail.row.remote = detail.socket.remote;
  detail.row.userId = detail.socket.userId;
  detail.owner = hidden(detail.owner);
  for (ChangeMark& mark : detail.changeMarks) hide(mark);
}

void Anonymizer::hide(ListenerRow& listener) {
  hide(listener.local);
  listener.owner = hidden(listener.owner);
}

void Anonymizer::hide(ObservationBatch& batch) {
  if (batch.appeared) {
    auto place = std::make_shared<Place>(*batch.appeared);
    hide(*place);
    batch.appeared = std::move(place);
  }
  for (SocketObservation& socket : batch.changed) hide(socket);
  for (ClosedSocket& closed : batch.closed) {
    if (closed.last) hide(*closed.last);
  }
  for (OwnerObservation& one : batch.owners) hide(one.owner);
  for (RetransmissionEvent& one : batch.retransmissions) {
    hide(one.local);
    hide(one.remote);
  }
  for (SourceEvent& one : batch.events) {
    hide(one.local);
    hide(one.remote);
    hideNamespaces(one);
  }
  if (batch.settings) batch.settings = hidden(*batch.settings);
  for (ChangeMark& mark : batch.changeMarks) hide(mark);
  // Packets carry addresses of their own.
  batch.captures.clear();
}

}  // namespace tcpscope
