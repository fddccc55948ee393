// Lets a collector's own loop do other work between two receives: a source of requests that wraps another one and wakes
// the collector when work is due. Inside the sink such work would count as time that the dump took.
#pragma once

#include <functional>

#include "collectors/source/collector.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

class BetweenDumps final : public RequestSource {
public:
  /// The inner source is the caller's and outlives this. `work` runs on the collector's thread, and so does `request`,
  /// with every request that passes.
  BetweenDumps(RequestSource& inner, std::function<void()> work, std::function<void(const CollectorRequest&)> request);

  /// False where the system gave no descriptor: see errno.
  [[nodiscard]] bool isOpen() const { return m_epoll && m_due; }
  /// The work runs at the next chance, once. May be called from any thread.
  void makeDue();

  [[nodiscard]] int wakeDescriptor() const override { return m_epoll.get(); }
  CollectorRequest take() override;

private:
  RequestSource& m_inner;
  std::function<void()> m_work;
  std::function<void(const CollectorRequest&)> m_passRequest;
  OwnedDescriptor m_epoll;
  OwnedDescriptor m_due;
};

}  // namespace tcpscope
