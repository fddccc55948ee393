// The window's door to this host's check-up: reads /sys and /proc on the background queue when it is asked to.
#pragma once

#include <functional>
#include <future>
#include <optional>

#include "app/session/background_queue.h"
#include "ui/feed/checkup_port.h"

namespace tcpscope {

class HostChecker final : public CheckupPort {
public:
  using ReadHost = std::function<HostReading()>;

  explicit HostChecker(ReadHost readHost) : m_readHost(std::move(readHost)) {}
  HostChecker(const HostChecker&) = delete;
  HostChecker& operator=(const HostChecker&) = delete;
  ~HostChecker() override = default;

  void look() override;
  void startAnew() override;
  [[nodiscard]] std::shared_ptr<const HostCheckupState> state() override;

private:
  void take();

  ReadHost m_readHost;
  std::optional<HostReading> m_first;
  std::shared_ptr<const HostCheckupState> m_state;
  std::future<HostReading> m_pending;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
