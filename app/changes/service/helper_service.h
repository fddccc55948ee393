// The helper's object on the system bus: previews and lists for everybody, changes for whom polkit says yes to.
//
// Single-threaded, so that one request is worked on at a time; a prompt that waits for somebody holds up nobody else.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/changes/execute/sysctl_changer.h"
#include "app/changes/service/authority_check.h"
#include "core/base/expected.h"

namespace tcpscope {

class HelperService {
public:
  /// `patience`: how long polkit, and whoever it asks, may take.
  HelperService(sd_bus* bus, SysctlChanger changes, std::chrono::microseconds patience)
      : m_bus(bus), m_changes(std::move(changes)), m_patience(patience) {}

  /// Puts the object on the bus; a negative errno where that fails.
  int start();
  /// Whether a request waits for polkit.
  [[nodiscard]] bool isWaiting() const { return !m_waiting.empty(); }

private:
  /// A document, or why there is none.
  using Answer = Expected<std::string, ChangeError>;
  using Handler = int (HelperService::*)(sd_bus_message*);
  struct Waiting {
    HelperService* service = nullptr;
    BusMessage request;
    std::function<Answer()> change;
    /// Of the caller: it may go away.
    BusTrack track;
    std::unique_ptr<AuthorityCheck> check;
  };

  template <Handler handler>
  static int handle(sd_bus_message* request, void* self, sd_bus_error* /*error*/) {
    return (static_cast<HelperService*>(self)->*handler)(request);
  }
  static int onCallerGone(sd_bus_track* track, void* waiting);

  int preview(sd_bus_message* request);
  int apply(sd_bus_message* request);
  int confirm(sd_bus_message* request);
  int revert(sd_bus_message* request);
  int list(sd_bus_message* request);

  /// Runs `change` once polkit said yes, and answers the request. Whatever changes something goes this way.
  int afterYes(sd_bus_message* request, AuthorityQuestion question, std::function<Answer()> change);
  /// The same for a change of the journal: `isRevert` says which of its values the prompt names.
  int finish(sd_bus_message* request, bool isRevert);
  void decide(Waiting& waiting, bool isAllowed);
  void forget(const Waiting& waiting);

  sd_bus* m_bus;
  SysctlChanger m_changes;
  std::chrono::microseconds m_patience;
  std::list<Waiting> m_waiting;
  /// Who made which change; a caller is never another one later.
  std::map<std::uint32_t, std::string> m_makers;
  BusSlot m_object;
};

}  // namespace tcpscope
