// Scenarios with a capture at the sender, at the receiver and in the middle of the path, and what the analysis makes of
// each of them.
//
// The middle is the right end of the path: behind its losses and before those of the receiver's own link. It sees
// packets at the moment at which the emulation has them there.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/lab/run/scenario_run.h"
#include "core/session/capture/connection_analysis.h"

namespace tcpscope::lab {

inline constexpr std::array kVantages = {Vantage::sender, Vantage::middle, Vantage::receiver};

/// What the sender's kernel counted (/proc/net/netstat and /proc/net/snmp of its namespace).
struct KernelCounts {
  /// TCPFastRetrans: retransmitted because of acknowledgments.
  std::uint64_t byEvidence = 0;
  /// TCPTimeouts, and what they went over again (TCPSlowStartRetrans).
  std::uint64_t byTimeout = 0;
  /// RetransSegs.
  std::uint64_t all = 0;
};

/// Data packets at a capture point: plain truth about what passed, which knows nothing of the analysis. Packets are
/// distinguished by their IP identification.
struct DataPackets {
  /// By the number that begins their data, in the order in which they passed.
  std::map<std::uint32_t, std::vector<std::uint16_t>> byNumber;
  /// Numbers that first passed after data that follows them.
  std::set<std::uint32_t> lateNumbers;
  /// Packets that a kernel at the end of the path refuses: older than what it has in order (PAWS, RFC 7323 §5.3). Late
  /// packets are, and have to be retransmitted.
  std::set<std::pair<std::uint32_t, std::uint16_t>> refused;
};

/// The main connection as one capture shows it.
struct CapturedTransfer {
  ConnectionAnalysis analysis;
  /// Packets of the main transfer's data, as they passed.
  DataPackets passed;
  /// Of the main transfer, among the analysis' directions.
  std::size_t direction = 0;
  [[nodiscard]] const DirectionSummary& sent() const { return analysis.flow.directions[direction]; }
  [[nodiscard]] const SideDiagnosis& diagnosis() const { return analysis.directions[direction].diagnosis; }
};

struct CapturedRun {
  /// In the order of kVantages; nothing where the connection is not in the capture.
  std::array<std::optional<CapturedTransfer>, 3> captures;
  /// Drops of the main transfer's data.
  std::vector<PathEvent> drops;
  /// Names of PathEvent::link.
  std::vector<std::string> links;
  std::optional<KernelCounts> kernel;
  std::optional<Agreement> live;
  /// Why the run says nothing: the machine was busy with something else, or gave no lab.
  std::string disturbance;
  std::string failure;
  bool isWithoutLab = false;
};

/// A transfer with an end, run to its end; for `timeout` at most. Without verdicts. The captures and the drops are left
/// in the folder `keepIn`, if it is named.
CapturedRun runTransfer(const Scenario& scenario, Nanoseconds timeout, const std::filesystem::path& keepIn = {});

/// A scenario with a truth, judged live, too.
CapturedRun runJudged(const Scenario& scenario);

}  // namespace tcpscope::lab
