// The helper's object on the system bus: preview and list for every caller, changes for those whom polkit authorizes.
//
// Single-threaded, one request at a time; an open prompt does not block other callers.
#pragma once

#include <sys/types.h>

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
  /// `authorizationTimeout`: for polkit and its prompt.
  HelperService(sd_bus* bus, SysctlChanger changes, std::chrono::microseconds authorizationTimeout)
      : m_bus(bus), m_changes(std::move(changes)), m_authorizationTimeout(authorizationTimeout) {}

  /// Registers the object; a negative errno on failure.
  int start();
  /// Whether a request waits for polkit.
  [[nodiscard]] bool isWaiting() const { return !m_waiting.empty(); }

private:
  /// A JSON document or the error.
  using Reply = Expected<std::string, ChangeError>;
  using Handler = int (HelperService::*)(sd_bus_message*);
  struct Waiting {
    HelperService* service = nullptr;
    /// Of the caller: the open prompts of one user are limited, so that they refuse no other user's.
    uid_t user = 0;
    BusMessage request;
    std::function<Reply()> change;
    /// Watches the caller, which may disconnect.
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

  /// Runs `change` after polkit has authorized it, and replies. The only path to a change.
  int whenAuthorized(sd_bus_message* request, AuthorityRequest check, std::function<Reply()> change);
  /// The same for a change of the journal; the prompt shows the originals for a revert.
  int finish(sd_bus_message* request, bool isRevert);
  void decide(Waiting& waiting, bool isAllowed);
  void forget(const Waiting& waiting);

  sd_bus* m_bus;
  SysctlChanger m_changes;
  std::chrono::microseconds m_authorizationTimeout;
  std::list<Waiting> m_waiting;
  /// Caller of each change; unique bus names are never reused.
  std::map<std::uint32_t, std::string> m_makers;
  BusSlot m_object;
};

}  // namespace tcpscope
