// The lines between both ends of a probe, over a connected TCP socket: each is awaited until a moment at the latest.
#pragma once

#include <string>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/wire/probe/probe_error.h"
#include "core/wire/probe/probe_message.h"

namespace tcpscope {

class ProbeControl {
public:
  /// `wakeDescriptor` is readable once all waiting is to end; negative where there is none.
  ProbeControl(OwnedDescriptor socket, int wakeDescriptor)
      : m_socket(std::move(socket)), m_wakeDescriptor(wakeDescriptor) {}

  [[nodiscard]] int descriptor() const { return m_socket.get(); }
  [[nodiscard]] int wakeDescriptor() const { return m_wakeDescriptor; }

  Expected<void, ProbeError> send(const ProbeMessage& message);
  /// The next line, by the moment at the latest.
  Expected<ProbeMessage, ProbeError> receive(Moment deadline);
  /// The same where one of this type is due; another is `notAProbe`, a refusal `refused`.
  template <class Message>
  Expected<Message, ProbeError> receiveOne(Moment deadline) {
    auto heard = receive(deadline);
    if (!heard) return Unexpected<ProbeError>(heard.error());
    Expected<Message, ProbeError> answer = probeFailure(ProbeError::Kind::notAProbe);
    if (std::holds_alternative<ProbeRefusal>(*heard)) answer.error().kind = ProbeError::Kind::refused;
    if (auto* message = std::get_if<Message>(&*heard)) answer = std::move(*message);
    return answer;
  }

private:
  OwnedDescriptor m_socket;
  int m_wakeDescriptor;
  std::string m_received;
};

}  // namespace tcpscope
