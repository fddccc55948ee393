// The request source of a collector that runs on a thread of its own: one request waits at most, a newer one replaces
// it, and an eventfd wakes the collector for a request or a stop.
#pragma once

#include <memory>
#include <mutex>

#include "collectors/source/collector.h"
#include "core/base/expected.h"
#include "core/base/system_error.h"

namespace tcpscope {

class RequestMailbox final : public RequestSource {
public:
  /// Fails where the process has no descriptor left.
  static Expected<std::unique_ptr<RequestMailbox>, SystemError> open(const CollectorRequest& first);
  ~RequestMailbox() override;

  /// Replaces what waits, and wakes. May be called from any thread.
  void post(const CollectorRequest& request);
  /// Wakes without a new request: for a stop. Safe in a signal handler.
  void wake() const;

  [[nodiscard]] int wakeDescriptor() const override { return m_descriptor; }
  CollectorRequest take() override;

private:
  RequestMailbox(int descriptor, const CollectorRequest& first) : m_descriptor(descriptor), m_request(first) {}

  const int m_descriptor;
  std::mutex m_mutex;
  CollectorRequest m_request;
};

}  // namespace tcpscope
