// The state of an agent that is restarted after a disconnect: its collector's thread sets it, the window reads it and
// may request the next attempt at once.
//
// May be used from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "app/remote/agent_means.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/system_error.h"

namespace tcpscope {

enum class LinkPhase : std::uint8_t {
  connecting,
  connected,
  /// Disconnected; the next attempt is automatic.
  waiting,
  /// Disconnected; the next attempt waits for the user.
  stopped
};

struct LinkState {
  LinkPhase phase = LinkPhase::connecting;
  /// Why it is not connected; absent where it is, or was not yet.
  std::optional<SystemError> why;
  /// Of the next try, while waiting.
  std::optional<Moment> retryAt;
  AgentMeans means = AgentMeans::installed;
};

class AgentLink {
public:
  /// Fails where the process has no descriptor left.
  static Expected<std::shared_ptr<AgentLink>, SystemError> open();

  [[nodiscard]] LinkState state() const;
  void report(LinkState state);

  /// The next try shall come now, and may ask for what it needs; by other means where they are given.
  void connectNow(std::optional<AgentMeans> means = {});
  /// Stops waiting for the first hello.
  void giveUp();

  /// Readable from a request until silence().
  [[nodiscard]] int wakeDescriptor() const { return m_wake.get(); }
  void silence() const;
  [[nodiscard]] bool isGivenUp() const;
  [[nodiscard]] bool isRetryRequested() const;
  /// As isRetryRequested(), and clears the request.
  bool takeRetryRequest();
  /// The other means that were requested last, once.
  std::optional<AgentMeans> takeMeans();

private:
  explicit AgentLink(OwnedDescriptor wake) : m_wake(std::move(wake)) {}
  void request(bool& which);

  const OwnedDescriptor m_wake;
  mutable std::mutex m_mutex;
  LinkState m_state;
  bool m_isRetryRequested = false;
  std::optional<AgentMeans> m_means;
  bool m_isGivenUp = false;
};

}  // namespace tcpscope
