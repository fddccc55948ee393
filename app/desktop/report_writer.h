// The window's door to reports: makes one on the background queue, with the check-up of the host that it is about, and
// writes it whole or not at all.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>

#include "app/desktop/checkup_process.h"
#include "app/desktop/remote_host.h"
#include "app/session/background_queue.h"
#include "core/host/host_checkup.h"
#include "ui/feed/report_port.h"

namespace tcpscope {

/// Where a report gets what the window does not know.
struct ReportSources {
  /// Of this host: two readings a moment apart; nothing once a stop is requested.
  std::function<std::optional<std::vector<CheckRow>>(const std::stop_token&)> checkUp;
  /// Is it this host, in this process's network namespace?
  std::function<bool(const Place&)> isOwnPlace;
  /// The capture or recording that is shown instead of live hosts; nothing where it is none. Of the GUI thread.
  std::function<std::optional<std::filesystem::path>()> shownFile;
  /// Nothing for a place that is no host behind ssh. Of the GUI thread.
  std::function<std::optional<RemoteHost>(PlaceId)> remoteHost{};
  /// Of a host behind ssh; blocks.
  CheckRemoteHost checkRemoteHost{};

  static ReportSources ofThisHost(std::function<std::optional<std::filesystem::path>()> shownFile,
                                  std::function<std::optional<RemoteHost>(PlaceId)> remoteHost);
};

class ReportWriter final : public ReportPort {
public:
  explicit ReportWriter(ReportSources sources) : m_sources(std::move(sources)) {}

  void write(ReportRequest request) override;
  void forget() override;
  [[nodiscard]] ReportState state() override;

private:
  struct Writing {
    ReportState begun;
    std::future<ReportState> outcome;
  };

  /// The host behind ssh that all of it is about; empty for none.
  [[nodiscard]] std::string addressOf(const ReportRequest& request) const;

  ReportSources m_sources;
  /// Of the last one that is done, or of one that failed and was not forgotten.
  ReportState m_reported;
  std::deque<Writing> m_writing;
  // Last: its jobs use the sources.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
