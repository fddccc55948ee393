// The diagnosis of one connection: each side's goodput, limits, verdict, bounds and findings.
//
// Pure: the same socket and statistics give the same answer. Cheap enough for every active connection at every poll
// (judge); bounds and findings (diagnose) are for the connections in view.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/evidence/kernel_evidence.h"
#include "core/diagnosis/limits/limit_stretch.h"

namespace tcpscope {

struct SideDiagnosis {
  Side side = Side::sending;
  std::optional<BitsPerSecond> goodput;
  LimitShares limits;
  /// Of captures: how the limits changed in the meantime, in order of time. Live connections have a LimitTimeline.
  LimitHistory history;
  Verdict verdict;
  /// Of the narrowest link of the path, where packets show it.
  std::optional<NextLimit> pathCapacity;
  std::vector<Bound> bounds;
  std::vector<Finding> findings;
};

struct ConnectionDiagnosis {
  /// Absent where this end sent no data in the span and before.
  std::optional<SideDiagnosis> sending;
  std::optional<SideDiagnosis> receiving;
  /// The side whose verdict is the connection's: the one that carries the bulk, nearly always.
  Side bulk = Side::sending;
  /// The verdict of that side; also there, with its evidence, for a connection that never carried data.
  Verdict verdict;
};

/// Does data move on one of the sides, or should it?
bool isActive(const ConnectionDiagnosis& diagnosis);
/// Those that there are, the one that carries the bulk first.
std::vector<const SideDiagnosis*> sidesOf(const ConnectionDiagnosis& diagnosis);

/// What is known of a connection beside its samples.
struct BesideSamples {
  RetryLimits retries{};
  std::optional<HeldUpPeriods> heldUpByReader{};
  std::optional<HeldUpPeriods> heldUpByWriter{};
};

ConnectionDiagnosis diagnose(const SocketObservation& socket, const WindowStatistics& window,
                             const BesideSamples& beside = {});

/// The verdict of a connection, without its evidence, and the side that it is of: the one that carries the bulk, unless
/// what this end sends is what holds up both.
struct JudgedVerdict {
  Side side = Side::sending;
  Verdict verdict;
};

/// For the list; same answer as diagnose().
JudgedVerdict judge(const SocketObservation& socket, const WindowStatistics& window);

/// Findings about a listener (its TCP_INFO fields mean something else).
std::vector<Finding> diagnoseListener(const SocketObservation& listener);

}  // namespace tcpscope
