// A running lab, as its owner holds it: the engine is a child program (this very executable, started anew, so that it
// has one thread), which makes the namespaces, runs path and programs, and starts one agent a host.
//
// Ends with the object, and with its owner however that ends: the engine's namespaces hold every process of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/lab/path/path_log.h"
#include "app/lab/scenario/scenario.h"
#include "core/base/expected.h"
#include "core/base/moment.h"

namespace tcpscope::lab {

enum class LabErrorKind : std::uint8_t { noUserNamespaces, noDevice, noCongestionControl, setUpFailed, engineEnded };

struct LabError {
  LabErrorKind kind = LabErrorKind::setUpFailed;
  int errorNumber = 0;
  /// What was attempted, or what is missing.
  std::string object;
};

/// The pipe of one host's agent: trace frames out of it, requests into it.
struct AgentPipe {
  std::string host;
  int framesDescriptor = -1;
  int requestsDescriptor = -1;
};

/// One connection of the traffic, as the programs saw it.
struct TransferRecord {
  std::string traffic;
  std::size_t stream = 0;
  Endpoint source;
  Endpoint destination;
  Moment startedAt;
  /// Absent while it runs.
  std::optional<Moment> endedAt;
  Bytes received;
};

struct LabResult {
  PathReport path;
  std::vector<TrafficSettings> skipped;
  std::vector<TransferRecord> transfers;
};

class LabProcess {
public:
  static Expected<std::unique_ptr<LabProcess>, LabError> start(const Scenario& scenario);
  LabProcess(const LabProcess&) = delete;
  LabProcess& operator=(const LabProcess&) = delete;
  virtual ~LabProcess() = default;

  /// One a host, in the scenario's order. They stay this object's.
  [[nodiscard]] virtual const std::vector<AgentPipe>& agents() const = 0;
  /// Changes the path while it runs.
  virtual Expected<void, LabError> change(const PathSettings& path) = 0;
  /// Counters and transfers up to now.
  virtual Expected<LabResult, LabError> report() = 0;
  /// Every event so far.
  [[nodiscard]] virtual std::vector<PathEvent> events() const = 0;
};

}  // namespace tcpscope::lab
