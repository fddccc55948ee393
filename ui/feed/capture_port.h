// The door to captures and recordings in files: open one, look how far its reading is, stop that, go back. All calls
// return at once and come from the GUI thread; the outcome of open() is in the state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/connection_id.h"

namespace tcpscope {

enum class CapturePhase : std::uint8_t { none, reading, open, failed };

/// Which connection a packet of the capture belongs to.
struct FoundPacket {
  /// From 1.
  std::uint64_t frame = 0;
  /// Absent where the capture holds no such packet, or the packet no TCP segment.
  std::optional<ConnectionId> connection;
};

struct CaptureState {
  /// Failed: no file is shown, for the last one could not be opened.
  CapturePhase phase = CapturePhase::none;
  /// Of the file, escaped.
  std::string name;
  /// The recording comment, escaped; empty for none.
  std::string note;
  /// Of its bytes, 0…1; absent while their number is unknown.
  std::optional<double> readRatio;
  std::uint64_t packets = 0;
  /// The packets of the selected connection are being read.
  bool readsPackets = false;
  /// Of the last findPacket(), once it is known.
  std::optional<FoundPacket> found{};
  /// Why the last file could not be opened, and what to do next; else what of the file could not be used; empty for
  /// nothing.
  std::string notice;
};

class CapturePort {
public:
  CapturePort() = default;
  CapturePort(const CapturePort&) = delete;
  CapturePort& operator=(const CapturePort&) = delete;
  virtual ~CapturePort() = default;

  /// Shows the file in place of what is shown; false for one that cannot be opened, which leaves that as it is.
  virtual bool open(const std::string& path) = 0;
  /// Shows the file in a window of its own, another process; false where that does not start.
  virtual bool openInNewWindow(const std::string& path) = 0;
  /// What was read until now stays.
  virtual void stopReading() = 0;
  /// Back to this host.
  virtual void close() = 0;
  /// Starts Wireshark with the capture that is shown, and with a display filter, at the packet with this number, from
  /// 1; false where it is not installed or does not start.
  virtual bool showInWireshark(const std::string& displayFilter, std::optional<std::uint64_t> frame) = 0;
  /// Finds out which connection the packet with this number, from 1, belongs to; the outcome is in the state.
  virtual void findPacket(std::uint64_t frame) = 0;
  /// Writes the packets of a connection that is shown in full, with comments, into a new file of this name, which
  /// replaces one that exists; what came of it is in the notice.
  virtual void savePackets(ConnectionId connection, const std::string& path) = 0;
  [[nodiscard]] virtual CaptureState state() = 0;
};

}  // namespace tcpscope
