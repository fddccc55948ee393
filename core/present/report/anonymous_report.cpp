#include "core/present/report/anonymous_report.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "core/host/sysctl_values.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

/// "host-1", "host-2": one a name, in the order in which they are met.
class Placeholders {
public:
  explicit Placeholders(std::string_view kind) : m_kind(kind) {}

  UntrustedText operator()(const UntrustedText& name) {
    if (name.empty()) return name;
    const std::size_t next = m_numbers.size() + 1;
    const auto [entry, isNew] = m_numbers.emplace(name.rawBytes(), next);
    return UntrustedText(fmt::format("{}-{}", m_kind, entry->second));
  }

private:
  std::string_view m_kind;
  std::map<std::string, std::size_t> m_numbers;
};

/// Behind the prefix of `network`.
IpAddress numbered(const IpAddress& address, std::size_t number) {
  const auto low = static_cast<std::uint8_t>(number % 254 + 1);
  const auto middle = static_cast<std::uint8_t>(number / 254 % 256);
  if (address.family() == AddressFamily::ipv6 && address.unmapped().family() == AddressFamily::ipv6) {
    return IpAddress::v6({0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, middle, low});
  }
  // 192.0.2.0/24 first; what it does not hold goes on in the network for benchmarks, 198.18.0.0/15 (RFC 2544).
  const std::array<std::uint8_t, 4> plain =
      middle == 0 ? std::array<std::uint8_t, 4>{192, 0, 2, low} : std::array<std::uint8_t, 4>{198, 18, middle, low};
  if (address.family() == AddressFamily::ipv4) return IpAddress::v4(plain);
  return IpAddress::v6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, plain[0], plain[1], plain[2], plain[3]});
}

class Anonymiser {
public:
  ReportModel hidden(const ReportModel& report) {
    ReportModel other = report;
    other.isAnonymous = true;
    // The comment is free text and may contain any name.
    if (other.recording) other.recording->note = {};
    for (Place& place : other.places) hide(place);
    for (ReportedConnection& connection : other.connections) {
      connection.detail = hidden(*connection.detail);
      for (MeasuredChange& change : connection.changes) hide(change.mark);
    }
    for (ListenerRow& listener : other.listeners) {
      hide(listener.local);
      listener.owner = hidden(listener.owner);
    }
    if (other.checkup) {
      for (CheckRow& row : *other.checkup) hide(row);
    }
    return other;
  }

private:
  void hide(Place& place) {
    place.host = m_hosts(place.host);
    place.bootId.clear();
    place.networkNamespace.clear();
    if (!place.recording.empty()) place.recording = m_files(place.recording);
    if (!place.settings) return;
    SysctlValues settings;
    for (const auto& [key, value] : place.settings->all()) settings.set(hidden(key), value);
    place.settings = std::make_shared<const SysctlValues>(std::move(settings));
  }

  /// The name of an interface in the name of its setting.
  std::string hidden(const std::string& key) {
    const auto setting = readLinkSettingKey(key);
    if (!setting) return key;
    const UntrustedText interface = m_interfaces(UntrustedText(std::string(setting->interface)));
    return linkSettingKey({interface.rawBytes(), setting->what});
  }

  void hide(ChangeMark& mark) { mark.key = UntrustedText(hidden(mark.key.rawBytes())); }

  void hide(Endpoint& end) {
    const IpAddress plain = end.address.unmapped();
    if (plain.isLoopback() || plain.isUnspecified()) return;
    const auto [entry, isNew] = m_addresses.emplace(plain, m_addresses.size());
    end.address = numbered(end.address, entry->second);
  }

  std::shared_ptr<const Owner> hidden(const std::shared_ptr<const Owner>& owner) {
    if (!owner) return owner;
    auto other = std::make_shared<Owner>(*owner);
    other->processName = m_programs(owner->processName);
    if (owner->userName) other->userName = m_users(*owner->userName);
    if (owner->unitOrContainer) other->unitOrContainer = m_units(*owner->unitOrContainer);
    return other;
  }

  void hide(CheckRow& row) {
    row.object = row.layer == CheckLayer::application ? m_programs(row.object) : m_interfaces(row.object);
    // What these name is the user's own: routes, devices, programs.
    for (const CheckId id : {CheckId::tunnel, CheckId::defaultRoute, CheckId::routeSettings, CheckId::busNeighbours,
                             CheckId::oneThread, CheckId::processorWait, CheckId::diskWait}) {
      if (row.id != id) continue;
      for (UntrustedText& one : row.names) one = m_names(one);
    }
  }

  std::shared_ptr<const ConnectionDetail> hidden(const ConnectionDetail& detail) {
    auto other = std::make_shared<ConnectionDetail>(detail);
    hide(other->socket.local);
    hide(other->socket.remote);
    other->row.local = other->socket.local;
    other->row.remote = other->socket.remote;
    other->owner = hidden(detail.owner);
    for (ChangeMark& mark : other->changeMarks) hide(mark);
    other->packets = nullptr;
    if (detail.packets) {
      const std::size_t direction = detail.diagnosis.bulk == Side::sending ? 0 : 1;
      other->losses = std::make_shared<LossSummary>(detail.packets->analysis.directions[direction].loss);
    }
    return other;
  }

  Placeholders m_hosts{"host"};
  Placeholders m_files{"file"};
  Placeholders m_programs{"program"};
  Placeholders m_users{"user"};
  Placeholders m_units{"unit"};
  Placeholders m_interfaces{"interface"};
  Placeholders m_names{"name"};
  std::map<IpAddress, std::size_t> m_addresses;
};

}  // namespace

ReportModel anonymous(const ReportModel& report) {
  return Anonymiser().hidden(report);
}

ReportPair anonymous(const ReportPair& pair) {
  Anonymiser anonymiser;
  ReportModel first = anonymiser.hidden(pair.first);
  return {std::move(first), anonymiser.hidden(pair.second), pair.goodput};
}

}  // namespace tcpscope
