// A running lab, as its owner holds it: the engine is a child program (this very executable, started again, so that it
// has one thread), which makes the namespaces, runs path and programs, and starts one agent a host.
//
// Ends with the object, and with its owner however that ends: the engine's namespaces hold every process of it. The
// owner may have threads, but uses the object from one at a time, capture() aside. main() calls runLabEngineIfAsked
// first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/lab/path/path_log.h"
#include "app/lab/scenario/scenario.h"
#include "app/lab/traffic/transfer_record.h"
#include "collectors/pcap/live_capture.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// The pipe of one host's agent: trace frames out of it, requests into it (app/remote/agent.h).
struct AgentPipe {
  std::string host;
  int framesDescriptor = -1;
  int requestsDescriptor = -1;
};

struct LabResult {
  PathReport path;
  /// Events that the log has no room for any more: 0, or it is not complete.
  Count lostEvents;
  std::vector<SkippedTraffic> skipped;
  /// Those that were started, in the order of the scenario's traffic.
  std::vector<TransferRecord> transfers;
  /// Of those with programs, in the order of the path.
  std::vector<HostUse> hosts;
  /// When they were read.
  Moment readAt;
};

class LabProcess {
public:
  /// Returns when hosts, path and agents are ready and the traffic starts; within some seconds at most.
  static Expected<std::unique_ptr<LabProcess>, LabError> start(const Scenario& scenario);
  /// The same; `captures`, one descriptor of a file a host of the path, get what passes its device (capture_writer.h).
  /// One more gets what passes the right end of the path: behind its losses, before those of the links there.
  static Expected<std::unique_ptr<LabProcess>, LabError> startCaptured(const Scenario& scenario,
                                                                       std::span<const int> captures);
  LabProcess() = default;
  LabProcess(const LabProcess&) = delete;
  LabProcess& operator=(const LabProcess&) = delete;
  virtual ~LabProcess() = default;

  /// The run's start, which TrafficSettings::start counts from. Moments of hosts, path and owner are of one clock.
  [[nodiscard]] virtual Moment startedAt() const = 0;
  /// One a host, in the order of the path's hosts. They stay this object's.
  [[nodiscard]] virtual const std::vector<AgentPipe>& agents() const = 0;
  /// Changes the path while it runs; the hosts must stay the same.
  virtual Expected<void, LabError> change(const PathSettings& path) = 0;
  /// Counters and transfers up to now.
  virtual Expected<LabResult, LabError> report() = 0;
  /// Captures what passes the devices of a host from now on, the first of agents() being 0: as pcapng, which comes out
  /// of the descriptor, a stream. Once nothing more is to be sent into it (shutdown), the last packets and the counts
  /// of drops follow, and its end. May be called from any thread, and waits for some milliseconds.
  virtual Expected<OwnedDescriptor, LiveCaptureError> capture(std::size_t host,
                                                              const LiveCaptureSettings& settings) = 0;
  /// Every event so far.
  [[nodiscard]] virtual std::vector<PathEvent> events() const = 0;
};

}  // namespace tcpscope::lab
