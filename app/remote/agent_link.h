// How it stands with an agent that is started again when it is lost: its collector's thread tells, whoever shows it
// looks, and may wish for the next try at once.
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
  /// Lost; the next try comes by itself.
  waiting,
  /// Lost; the next try comes when a person wants it.
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
  void tell(LinkState state);

  /// The next try shall come now, and may ask for what it needs; by other means where they are given.
  void connectNow(std::optional<AgentMeans> means = {});
  /// Nobody waits for the first hello any more.
  void giveUp();

  /// Readable since the last wish, until silence().
  [[nodiscard]] int wakeDescriptor() const { return m_wake.get(); }
  void silence() const;
  [[nodiscard]] bool isGivenUp() const;
  [[nodiscard]] bool wantsNow() const;
  /// As wantsNow(), and the wish is fulfilled with that.
  bool takeWantsNow();
  /// The other means that were wished for last, once.
  std::optional<AgentMeans> takeMeans();

private:
  explicit AgentLink(OwnedDescriptor wake) : m_wake(std::move(wake)) {}
  void wish(bool& which);

  const OwnedDescriptor m_wake;
  mutable std::mutex m_mutex;
  LinkState m_state;
  bool m_wantsNow = false;
  std::optional<AgentMeans> m_means;
  bool m_isGivenUp = false;
};

}  // namespace tcpscope
