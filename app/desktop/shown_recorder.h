// The window's door to recording: what is shown live, this host, others or a demo, into a file. It goes on when
// something else is shown meanwhile, and ends with what it records.
#pragma once

#include <future>

#include "app/desktop/switched_session.h"
#include "app/session/background_queue.h"
#include "app/session/live_session.h"
#include "ui/feed/record_port.h"

namespace tcpscope {

class ShownRecorder final : public RecordPort {
public:
  /// `shown` outlives this. `settings` for every recording.
  ShownRecorder(SwitchedSession& shown, RecordingSettings settings) : m_shown(shown), m_settings(std::move(settings)) {}
  ~ShownRecorder() override;

  void start(const std::string& path, RecordedData data) override;
  void startRing(const std::string& path, std::chrono::seconds keeps) override;
  void stop() override;
  void discard() override;
  void forget() override;
  [[nodiscard]] RecordState state() override;

private:
  using Started = Expected<std::shared_ptr<SessionRecorder>, SystemError>;

  void begin(const std::string& path, RecordedData data, const RecordingSettings& settings);
  void takeStarted();
  [[nodiscard]] std::string packetsNotice() const;
  [[nodiscard]] std::string filesNotice() const;

  SwitchedSession& m_shown;
  RecordingSettings m_settings;
  std::string m_path;
  /// Why the last one did not begin.
  std::string m_refusal;
  /// What was shown when it was begun; only compared.
  SessionPort* m_from = nullptr;
  std::future<Started> m_starting;
  /// Set once what was discarded is removed.
  std::future<void> m_discarded;
  std::shared_ptr<SessionRecorder> m_recorder;
  RecordedData m_data = RecordedData::samples;
  /// Empty where none are recorded.
  PacketRecorders m_packets;
  // Last: it ends before what its jobs give goes.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
