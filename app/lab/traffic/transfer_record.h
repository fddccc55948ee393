// The result of the traffic: each connection as its programs saw it, and the traffic that this machine cannot carry.
#pragma once

#include <optional>
#include <string>

#include "app/lab/scenario/scenario.h"
#include "core/base/moment.h"
#include "core/model/endpoint.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// One connection of the traffic. Each message of TrafficKind::messages has one of its own.
struct TransferRecord {
  std::string traffic;
  /// From 0 within the traffic.
  std::size_t stream = 0;
  Endpoint source;
  Endpoint destination;
  /// The sending program asked for the connection.
  Moment startedAt;
  /// The receiving program read the last byte. Absent while it runs.
  std::optional<Moment> endedAt;
  /// What the receiving program read.
  Bytes received;
};

/// What the programs of a host cost it since the lab's start (host_meter.h).
struct HostUse {
  std::string host;
  Nanoseconds processorTime{0};
  /// Of its sockets together, as sampled; absent where none could be read.
  std::optional<Bytes> memoryPeak;
};

/// Traffic that was left out: never carried in some other way instead.
struct SkippedTraffic {
  std::string traffic;
  LabError reason;
};

}  // namespace tcpscope::lab
