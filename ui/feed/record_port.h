// The door to recording what is shown: begin, look how far it is, stop. All calls return at once and come from the GUI
// thread; the outcome of start() is in the state.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tcpscope {

enum class RecordPhase : std::uint8_t { none, recording, ended, failed };

enum class RecordedData : std::uint8_t {
  samples,
  /// And the headers of what live captures take meanwhile, in a file beside it.
  samplesAndPackets,
};

struct RecordState {
  RecordPhase phase = RecordPhase::none;
  /// Of the file, escaped.
  std::string name;
  double elapsedS = 0;
  std::uint64_t bytes = 0;
  /// Failed: what happened, why, what is left; else what is recorded of packets, where that was asked for.
  std::string notice;
  /// To be opened; empty where nothing was written.
  std::string path;
};

class RecordPort {
public:
  RecordPort() = default;
  RecordPort(const RecordPort&) = delete;
  RecordPort& operator=(const RecordPort&) = delete;
  virtual ~RecordPort() = default;

  /// From now on, into this file, replacing an existing one. Ends a running recording.
  virtual void start(const std::string& path, RecordedData data) = 0;
  /// The same of samples, but keeps only what is newest: so much until it is stopped.
  virtual void startRing(const std::string& path, std::chrono::seconds keeps) = 0;
  virtual void stop() = 0;
  /// Stops, and removes what was written.
  virtual void discard() = 0;
  /// Drops the state of the recording that ended.
  virtual void forget() = 0;
  [[nodiscard]] virtual RecordState state() = 0;
};

}  // namespace tcpscope
