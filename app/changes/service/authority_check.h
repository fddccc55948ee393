// One question to polkit: may this caller do this? Only a yes in time counts; an error, an odd answer, a silence and an
// authority that is not there are a no.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "app/changes/bus/bus_handles.h"

namespace tcpscope {

struct AuthorityQuestion {
  /// Unique name of a connection, as the bus wrote it into the message: it is never given twice, as a process id is.
  std::string caller;
  std::string action;
  /// What the prompt says: nothing that the caller made up.
  std::map<std::string, std::string> details;
};

class AuthorityCheck {
public:
  /// `answered` is called once, unless this is destroyed before; it may destroy this.
  AuthorityCheck(sd_bus* bus, std::function<void(bool)> answered) : m_bus(bus), m_answered(std::move(answered)) {}
  AuthorityCheck(const AuthorityCheck&) = delete;
  AuthorityCheck& operator=(const AuthorityCheck&) = delete;
  /// Takes the prompt away from where nobody answered it.
  ~AuthorityCheck();

  /// Sends the question. A negative errno where that fails; then there is no answer.
  int ask(const AuthorityQuestion& question, std::chrono::microseconds patience);

private:
  static int onAnswer(sd_bus_message* answer, void* self, sd_bus_error* error);

  sd_bus* m_bus;
  std::function<void(bool)> m_answered;
  /// How polkit knows the question again; empty when there is nothing to take away.
  std::string m_cancellation;
  BusSlot m_slot;
};

}  // namespace tcpscope
