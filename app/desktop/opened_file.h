// The window's files: a capture or a recording, distinguished by content, shown in place of the host's own
// session, which goes on behind it.
#pragma once

#include "app/desktop/background_work.h"
#include "app/desktop/switched_session.h"
#include "app/session/capture_session.h"
#include "app/session/replay_session.h"
#include "ui/feed/capture_port.h"

namespace tcpscope {

class OpenedFile final : public CapturePort {
public:
  /// `shown` outlives this.
  explicit OpenedFile(SwitchedSession& shown) : m_shown(shown) {}
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile() override;

  bool open(const std::string& path) override;
  bool openInNewWindow(const std::string& path) override;
  void stopReading() override;
  void close() override;
  bool showInWireshark(const std::string& displayFilter, std::optional<std::uint64_t> frame) override;
  void findPacket(std::uint64_t frame) override;
  void savePackets(ConnectionId connection, const std::string& path) override;
  [[nodiscard]] CaptureState state() override;
  /// The file that is shown; nothing where it is none.
  [[nodiscard]] std::optional<std::filesystem::path> shownPath() const;

private:
  void openCapture(const std::filesystem::path& path, const UntrustedText& name);
  void openRecording(const std::filesystem::path& path);

  SwitchedSession& m_shown;
  std::unique_ptr<CaptureSession> m_capture;
  std::unique_ptr<ReplaySession> m_recording;
  /// Of the file that is shown.
  std::filesystem::path m_path;
  std::string m_name;
  /// Why the last file could not be opened.
  std::string m_refusal;
  /// Of the packets that are saved, and of those that were.
  std::future<std::string> m_saving;
  std::string m_saved;
  /// Every file is a place of its own, so that nothing of one is taken for another's.
  std::uint32_t m_nextPlace = 0;
  /// Null until something is saved. Last: it ends before what it works on goes.
  std::unique_ptr<BackgroundQueue> m_background;
};

}  // namespace tcpscope
