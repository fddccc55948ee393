// The packets beside a recording, for the snapshots of its replay: those of the connections that the snapshot has in
// detail, all of the file, whatever moment is shown.
//
// No thread: a connection's packets are read when a snapshot has it for the first time, by its caller, and kept for the
// next ones. The file is bounded by what its recorder writes; a larger one is read up to that.
#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "core/session/capture/captured_packets.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class RecordedPackets {
public:
  /// `clock`: the recording's, by which times of packets become moments of it. A missing file is no fault.
  RecordedPackets(const std::filesystem::path& recording, PlaceId place, const ClockPair& clock);

  /// The details of this place with their packets. True where something was added.
  bool addTo(SessionSnapshot& snapshot);
  /// There is a file.
  [[nodiscard]] bool exists() const { return m_exists; }

private:
  [[nodiscard]] std::shared_ptr<const CapturedPackets> read(const ConnectionDetail& detail);

  std::filesystem::path m_file;
  PlaceId m_place;
  ClockPair m_clock;
  bool m_exists;
  std::uint32_t m_newestNumber = 0;
  /// Null for those that the file does not hold.
  std::map<ConnectionId, std::shared_ptr<const CapturedPackets>> m_known;
};

}  // namespace tcpscope
