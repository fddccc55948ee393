// A capture file as a session: read once for the list of its connections, and in part once more for the packets of the
// selected one.
//
// The packets of all connections would take 64 bytes each, of a file of any length; so only those of the selected one
// are kept, and where the packets of each lie. Where that is not possible (the file is packed, has fragments or several
// sections, or more packets than memory has room for), a second pass over the whole file brings them. One thread reads;
// views talk to it through SessionPort and never wait. The destructor stops the reading and joins.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "app/session/connection_packets.h"
#include "app/session/snapshot_slot.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "core/session/capture/capture_analysis.h"
#include "core/session/capture/captured_file.h"
#include "core/session/capture/packet_places.h"
#include "core/session/capture_list.h"
#include "core/session/session_port.h"

namespace tcpscope {

/// How far a session has come with its file.
struct CaptureReading {
  std::uint64_t bytesRead = 0;
  /// Nothing where the file does not say, as of a pipe.
  std::optional<std::uint64_t> bytesInAll;
  /// The result of reading it so far.
  CapturedFile file;
  /// The first pass is over, or was stopped.
  bool isRead = false;
  /// The packets of the selected connection are being read.
  bool readsPackets = false;
  /// Of the last findPacket(), once it is known.
  struct Found {
    std::uint64_t frame = 0;
    /// Absent where no packet with this number belongs to a connection.
    std::optional<ConnectionId> connection;
  };
  std::optional<Found> found;
  /// A connection had so many packets that only the first of them are kept for the graphs.
  bool leftPacketsOut = false;
};

class CaptureSession final : public SessionPort {
public:
  /// Reads the beginning of the file, no more. Fails as CaptureReader::open().
  static Expected<std::unique_ptr<CaptureSession>, CaptureFault> open(const std::filesystem::path& path, PlaceId place,
                                                                      const SessionControl& control = {});
  ~CaptureSession() override;

  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return m_slot.load(); }
  void setControl(const SessionControl& control) override;

  [[nodiscard]] CaptureReading reading() const;
  /// Ends the first pass where it is.
  void stopReading();
  /// Looks up the connection of the packet with this number, from 1, once the first pass is over; a newer question
  /// replaces one that waits. The outcome is in reading().
  void findPacket(std::uint64_t frame);

private:
  CaptureSession(std::filesystem::path path, PlaceId place, std::unique_ptr<CaptureReader> reader,
                 const SessionControl& control);

  void run(const std::stop_token& stop);
  void readAll(const std::stop_token& stop);
  /// By their places, or in a pass over the whole file.
  ConnectionPackets readAgain(std::size_t connection, const std::function<bool(std::uint64_t)>& goOn);
  /// Gives up where another connection is wanted meanwhile.
  void readPackets(ConnectionId id, const std::stop_token& stop);
  void answerPacketQuestion(const std::stop_token& stop);
  [[nodiscard]] std::optional<ConnectionId> connectionOf(std::uint64_t number, const std::stop_token& stop) const;
  void takeControl();
  /// False where reading shall stop here.
  bool noteProgress();
  void refreshRows();
  void publish();
  [[nodiscard]] bool isWanted(ConnectionId id) const;
  [[nodiscard]] bool isKnown(ConnectionId id) const;
  /// Another request waits.
  [[nodiscard]] bool hasNewer() const;

  std::filesystem::path m_path;
  PlaceId m_place;
  std::unique_ptr<CaptureReader> m_reader;
  PacketDecoder m_decoder;
  SnapshotSlot m_slot;

  mutable std::mutex m_mutex;
  std::condition_variable_any m_wanted;
  std::optional<SessionControl> m_newControl;
  std::optional<ConnectionId> m_newFocus;
  CaptureReading m_reading;
  bool m_isStopWanted = false;
  /// The packet whose connection is asked for, from 1.
  std::optional<std::uint64_t> m_wantedFrame;

  // The thread's own from here on.
  CapturedFile m_file;
  CaptureAnalysis m_analysis;
  PacketPlaces m_places;
  CaptureList m_list;
  std::size_t m_rows = 0;
  SessionControl m_control;
  std::uint64_t m_published = 0;
  Moment m_end;
  std::vector<std::pair<ConnectionId, std::shared_ptr<const ConnectionDetail>>> m_details;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
