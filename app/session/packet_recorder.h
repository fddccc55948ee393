// The headers of captured packets beside a recording: pcapng that Wireshark opens, and that a replay of the recording
// shows packets from.
//
// Written as they come, by the thread that captures. A budget bounds the file: what comes behind it is counted and left
// out. What ends it keeps what was written.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "collectors/pcap/capture_writer.h"
#include "collectors/pcap/live_capture.h"
#include "collectors/system/new_file.h"
#include "core/base/system_error.h"
#include "core/model/connection_id.h"

namespace tcpscope {

/// "slow.packets.pcapng" of "slow.tcpscope".
std::filesystem::path packetsBeside(const std::filesystem::path& recording);

struct PacketRecorderState {
  std::uint64_t packets = 0;
  /// Behind the budget, or of another kind of interface than the first: the file has one.
  std::uint64_t leftOut = 0;
  /// No more are written.
  std::optional<SystemError> error;
};

class PacketRecorder {
public:
  /// About 600,000 packets.
  static constexpr Bytes kBudget{std::uint64_t{64} << 20U};

  /// The file comes with the first packet.
  explicit PacketRecorder(const std::filesystem::path& recording, Bytes budget = kBudget)
      : m_file(packetsBeside(recording)), m_budget(budget) {}
  ~PacketRecorder() { finish(); }
  PacketRecorder(const PacketRecorder&) = delete;
  PacketRecorder& operator=(const PacketRecorder&) = delete;

  // From any thread; packets of one capture from one.
  void take(const CapturedFrame& frame);
  /// Of the capture with this number, since it began.
  void setCounts(std::uint32_t capture, const LiveCaptureCounts& counts);
  /// Writes what waits and how many were dropped; nothing follows.
  void finish();
  [[nodiscard]] PacketRecorderState state() const;
  [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
  bool begin(const CapturedFrame& frame);
  void flush();
  void fail(int error);

  const std::filesystem::path m_file;
  const Bytes m_budget;
  mutable std::mutex m_mutex;
  std::optional<NewFile> m_output;
  std::optional<CaptureWriter> m_writer;
  LinkType m_linkType{};
  std::uint64_t m_bytes = 0;
  Moment m_flushedAt;
  std::map<std::uint32_t, LiveCaptureCounts> m_counts;
  bool m_isOver = false;
  PacketRecorderState m_state;
};

/// Each beside the recording of its place: packets of one end of a connection are not those of the other.
using PacketRecorders = std::map<PlaceId, std::shared_ptr<PacketRecorder>>;

}  // namespace tcpscope
