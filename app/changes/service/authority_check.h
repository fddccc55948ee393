// One authorization check by polkit. Only a positive reply in time authorizes; an error, a malformed reply, a timeout
// and a missing polkit do not.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "app/changes/bus/bus_handles.h"

namespace tcpscope {

struct AuthorityRequest {
  /// Unique bus name of the caller, written by the bus and never reused, unlike a PID.
  std::string caller;
  std::string action;
  /// Text of the prompt, none of it from the caller.
  std::map<std::string, std::string> details;
};

class AuthorityCheck {
public:
  /// `decided` is called once, unless this is destroyed before; it may destroy this.
  AuthorityCheck(sd_bus* bus, std::function<void(bool)> decided) : m_bus(bus), m_decided(std::move(decided)) {}
  AuthorityCheck(const AuthorityCheck&) = delete;
  AuthorityCheck& operator=(const AuthorityCheck&) = delete;
  /// Cancels an open prompt.
  ~AuthorityCheck();

  /// Sends the request. A negative errno on failure, after which there is no decision.
  int send(const AuthorityRequest& request, std::chrono::microseconds timeout);

private:
  static int onReply(sd_bus_message* reply, void* self, sd_bus_error* error);

  sd_bus* m_bus;
  std::function<void(bool)> m_decided;
  /// Cancellation id of the open prompt; empty if there is none.
  std::string m_cancellation;
  BusSlot m_slot;
};

}  // namespace tcpscope
