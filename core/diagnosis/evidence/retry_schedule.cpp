#include "core/diagnosis/evidence/retry_schedule.h"

#include <algorithm>

namespace tcpscope {

namespace {

constexpr Nanoseconds kLongestTimeout = std::chrono::minutes(2);
constexpr std::uint64_t kMostDoublings = 20;

/// The series of tries so far.
struct Tries {
  Nanoseconds timeout{0};
  Nanoseconds first{0};
  std::int64_t count = 0;
  std::int64_t doublings = 0;
  Nanoseconds untilNext{0};
};

std::optional<Tries> triesOf(const ConnectionEvidence& evidence) {
  const auto& timer = evidence.timer;
  if (!timer || timer->kind != TimerKind::retransmission) return std::nullopt;
  const auto& timeout = evidence.retransmissionTimeout;
  const auto& doublings = evidence.backoff;
  if (!timeout || !doublings || doublings->value() > kMostDoublings || *timeout >= kLongestTimeout) return std::nullopt;
  Tries tries;
  tries.timeout = *timeout;
  tries.doublings = static_cast<std::int64_t>(doublings->value());
  tries.first = tries.timeout / (std::int64_t{1} << tries.doublings);
  tries.count = static_cast<std::int64_t>(timer->attempts.value());
  tries.untilNext = std::min<Nanoseconds>(timer->expiresIn, tries.timeout);
  return tries;
}

std::optional<Nanoseconds> untilSynIsGivenUp(const Tries& tries, const RetryLimits& limits) {
  if (!limits.syn) return std::nullopt;
  // A kernel without the setting doubles from the first try on.
  const auto linear = static_cast<std::int64_t>(limits.synLinear.value_or(Count(0)).value());
  const std::int64_t most = static_cast<std::int64_t>(limits.syn->value()) + linear;
  Nanoseconds left = tries.untilNext;
  Nanoseconds timeout = tries.timeout;
  for (std::int64_t count = tries.count + 1; count <= most; ++count) {
    if (count > linear) timeout = std::min(timeout * 2, kLongestTimeout);
    left += timeout;
  }
  return left;
}

/// Of a series that begins with the shortest timeout, however long this connection's is (tcp_model_timeout).
Nanoseconds timeOfDataTries(std::uint64_t tries) {
  constexpr Nanoseconds kShortestTimeout = std::chrono::milliseconds(200);
  constexpr std::uint64_t kDoubledUpToTheLongest = 9;
  const std::uint64_t doubled = std::min(tries, kDoubledUpToTheLongest);
  return kShortestTimeout * ((std::int64_t{2} << doubled) - 1) +
         kLongestTimeout * static_cast<std::int64_t>(tries - doubled);
}

}  // namespace

std::optional<Nanoseconds> sinceFirstTry(const ConnectionEvidence& evidence) {
  const auto tries = triesOf(evidence);
  if (!tries || tries->count < tries->doublings) return std::nullopt;
  const std::int64_t doubled = (std::int64_t{1} << tries->doublings) - 1;
  return tries->first * (tries->count - tries->doublings + doubled) + tries->timeout - tries->untilNext;
}

std::optional<Nanoseconds> untilGivenUp(const ConnectionEvidence& evidence) {
  const auto tries = triesOf(evidence);
  if (!tries) return std::nullopt;
  const bool opens = evidence.state == TcpState::synSent;
  const auto byTries = opens ? untilSynIsGivenUp(*tries, evidence.retries) : std::nullopt;
  const auto since = sinceFirstTry(evidence);
  if (!since) return byTries;
  // The kernel counts from the SYN, but of data from its first retransmission.
  const Nanoseconds counted = opens ? *since : *since - tries->first;
  const Milliseconds userTimeout = evidence.userTimeout.value_or(Milliseconds(0));
  // It shortens the last timeout so that the time is met.
  const Nanoseconds byUserTimeout = std::max<Nanoseconds>(userTimeout - counted, tries->untilNext);
  const bool hasUserTimeout = userTimeout > Milliseconds(0);
  if (opens) return byTries && hasUserTimeout ? std::min(*byTries, byUserTimeout) : byTries;
  if (hasUserTimeout) return byUserTimeout;
  constexpr std::uint64_t kMostTries = 255;
  if (!evidence.retries.data || evidence.retries.data->value() > kMostTries) return std::nullopt;
  return std::max(timeOfDataTries(evidence.retries.data->value()) - counted, tries->untilNext);
}

}  // namespace tcpscope
