// What the rules found about one side of a connection, with the evidence for it. No sentences here: core/text makes
// them from these values.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/diagnosis/evidence/cause.h"
#include "core/diagnosis/limits/limit.h"
#include "core/model/metric.h"

namespace tcpscope {

/// Which way the data goes that is judged.
enum class Side : std::uint8_t { sending, receiving };

/// snake_case, as in the JSON documents.
std::string_view name(Side side);

/// One measured figure that a verdict or a finding rests on, and what it was held against.
struct Evidence {
  /// Key of a metric or of a derived figure, with the base unit at its end ("rwnd_limited_ratio").
  std::string_view key;
  double value = 0.0;
  std::optional<double> comparedWith;
  /// Key of what it was compared with; empty where comparedWith is a threshold of the rule.
  std::string_view comparedWithKey;
};

/// The figure with this key; null where it is not among them.
const Evidence* figureOf(const std::vector<Evidence>& evidence, std::string_view key);

enum class FindingSeverity : std::uint8_t { note, warning, problem };
std::string_view name(FindingSeverity severity);

enum class RuleId : std::uint8_t {
  receiverWindowTooSmall,
  windowScaleCapsWindow,
  sendBufferTooSmall,
  networkLoss,
  queueing,
  returnPathQueue,
  congestionWindow,
  pacingLimit,
  applicationTooSlow,
  receivingApplicationTooSlow,
  receiveBufferTooSmall,
  bufferLocked,
  optionsMissing,
  timeouts,
  reordering,
  ecnMarks,
  smallSegments,
  slowStart,
  idleRestart,
  unansweredOpening,
  slowOpening,
  stalled,
  smallWrites,
  applicationWindow,
  leftOpen,
  busyWithPackets,
  acceptQueueOverflow,
  count,
};

std::string_view name(RuleId rule);
/// Nothing where no rule has this name.
std::optional<RuleId> ruleNamed(std::string_view text);

struct Finding {
  RuleId rule = RuleId::count;
  FindingSeverity severity = FindingSeverity::note;
  /// 0…1; confident means at least 0.8.
  double confidenceRatio = 0.0;
  std::vector<Evidence> evidence;
};

/// How the rate of a next limit is known; as in the JSON documents.
enum class NextLimitMethod : std::uint8_t {
  /// A model of something that is set (core/diagnosis/bounds).
  bound,
  /// How far the path spread packets that were sent close together.
  ackDispersion,
};
std::string_view name(NextLimitMethod method);

struct NextLimit {
  BitsPerSecond rate;
  NextLimitMethod method = NextLimitMethod::bound;
  /// The truth lies between them in nine of ten cases; absent where a model gives the one rate.
  std::optional<BitsPerSecond> low;
  std::optional<BitsPerSecond> high;

  bool operator==(const NextLimit&) const = default;
};

/// Whose the time is where requests and responses alternate: 0…1 each, together 1.
struct ExchangeShares {
  double here = 0.0;
  double path = 0.0;
  double peer = 0.0;
  /// Of each share, to either side; 0 where each exchange was seen.
  double uncertainty = 0.0;
  double exchangesPerSecond = 0.0;
  /// Of a capture: `here` is the client, `peer` the server. From one socket it is not known which end asks.
  bool isOfCapture = false;
};

/// The one answer for a side: which limit holds, why, how sure.
struct Verdict {
  Limit limit = Limit::unknown;
  /// Where the limit is unknown: what it may be.
  std::vector<Limit> candidates;
  Cause cause = Cause::unknown;
  double confidenceRatio = 0.0;
  /// Measured rate of the side.
  std::optional<BitsPerSecond> goodput;
  /// What holds once this limit is gone; absent where it is not known.
  std::optional<NextLimit> next;
  /// Where the application is the limit of exchanges.
  std::optional<ExchangeShares> exchanges{};
  std::vector<Evidence> evidence;
};

}  // namespace tcpscope
