// Replaces addresses and names by placeholders: the same one for the same thing, as long as one Anonymizer is used.
// Ports, figures, PIDs, times and settings stay.
//
// Addresses become those that are set aside for documents (RFC 5737, RFC 3849), then those for benchmarks (RFC 2544)
// and those that are reserved (RFC 1112); loopback and "any" identify no host and stay.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/host/place.h"
#include "core/model/change_mark.h"
#include "core/model/socket_observation.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// 0, 1, 2: one for each thing, in the order in which they appear.
///
/// A recording may run for weeks. Beyond `kMostRemembered` things all are forgotten: they get another number when they
/// appear again, never that of something else.
template <class Thing>
class Numbering {
public:
  static constexpr std::size_t kMostRemembered = 500'000;

  std::size_t operator()(const Thing& thing) {
    if (m_numbers.size() >= kMostRemembered) m_numbers.clear();
    const auto [entry, isNew] = m_numbers.emplace(thing, m_next);
    if (isNew) ++m_next;
    return entry->second;
  }

private:
  std::map<Thing, std::size_t> m_numbers;
  std::size_t m_next = 0;
};

/// "host-1", "host-2": one for each name.
class Placeholders {
public:
  explicit Placeholders(std::string_view kind) : m_kind(kind) {}

  /// Empty text stays empty.
  UntrustedText operator()(const UntrustedText& name);

private:
  std::string_view m_kind;
  Numbering<std::string> m_numbers;
};

class Anonymizer {
public:
  /// Of a kernel release, major and minor version stay: readers of TCP_INFO depend on them.
  void hide(Place& place);
  void hide(Endpoint& end);
  void hide(SocketObservation& socket);
  void hide(ConnectionDetail& detail);
  void hide(ListenerRow& listener);
  void hide(ChangeMark& mark);
  void hide(ObservationBatch& batch);
  std::shared_ptr<const Owner> hidden(const std::shared_ptr<const Owner>& owner);
  /// With the name of an interface replaced in the key of its setting.
  std::string hiddenKey(const std::string& key);

  UntrustedText program(const UntrustedText& name) { return m_programs(name); }
  UntrustedText interface(const UntrustedText& name) { return m_interfaces(name); }
  /// Of routes, devices and the like.
  UntrustedText other(const UntrustedText& name) { return m_names(name); }

private:
  /// Those that a report of a drop or a retransmission names.
  static void hideNamespaces(SourceEvent& event);
  void hide(Owner& owner);
  std::shared_ptr<const SysctlValues> hidden(const SysctlValues& settings);

  Placeholders m_hosts{"host"};
  Placeholders m_files{"file"};
  Placeholders m_programs{"program"};
  Placeholders m_users{"user"};
  Placeholders m_units{"unit"};
  Placeholders m_interfaces{"interface"};
  Placeholders m_names{"name"};
  Numbering<IpAddress> m_addresses;
  Numbering<std::uint32_t> m_userIds;
};

}  // namespace tcpscope
