#include "core/advice/buffer_size.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

/// A buffer is an int in the kernel.
constexpr double kLargestBuffer = 2147418112.0;

std::optional<double> rttSeconds(const AdviceInput& input) {
  if (input.goal.targetRtt) return toSeconds(*input.goal.targetRtt);
  return boundRttSeconds(input.evidence);
}

Bytes wholeSteps(double bytes) {
  constexpr double kStep = 65536.0;
  return Bytes(static_cast<std::uint64_t>(std::min(std::ceil(bytes / kStep) * kStep, kLargestBuffer)));
}

}  // namespace

Bytes bufferForPath(BitsPerSecond rate, double rttSeconds) {
  return wholeSteps(2.0 * bandwidthDelayBytes(rate, rttSeconds));
}

std::optional<Bytes> wantedBuffer(const AdviceInput& input, const TunedBuffer& buffer,
                                  std::optional<std::uint64_t> largestNow) {
  const auto seconds = rttSeconds(input);
  Bytes wanted;
  if (input.goal.targetRate && seconds) {
    wanted = bufferForPath(*input.goal.targetRate, *seconds);
  } else {
    wanted = std::max(Bytes(buffer.kernelDefault[2]), wholeSteps(2.0 * static_cast<double>(largestNow.value_or(0))));
    const auto& next = input.verdict().next;
    if (next && seconds) wanted = std::max(wanted, bufferForPath(next->rate, *seconds));
  }
  if (largestNow && wanted.value() <= *largestNow) return std::nullopt;
  return wanted;
}

SettingChange raisedLimit(const SysctlValues& settings, const TunedBuffer& buffer, Bytes largest) {
  const auto now = settings.three(buffer.key);
  auto wanted = now.value_or(buffer.kernelDefault);
  wanted[2] = largest.value();
  SettingChange change{SettingKind::sysctl, buffer.key, std::nullopt, {}};
  if (now) change.now = sysctlText(*now);
  // What the kernel would take without a word: a start above the most.
  wanted[1] = std::min(wanted[1], wanted[2]);
  change.wanted = sysctlText(wanted);
  return change;
}

ExpectedGain gainWithoutLimit(const AdviceInput& input) {
  ExpectedGain gain{input.diagnosis.goodput, std::nullopt, GainReason::pathDecides};
  const auto& next = input.verdict().next;
  const auto& target = input.goal.targetRate;
  const bool isTarget = target && (!next || *target <= next->rate);
  if (isTarget) {
    gain.to = target;
    gain.why = GainReason::targetRate;
  } else if (next) {
    gain.to = next->rate;
    const bool isPath = next->method == NextLimitMethod::ackDispersion;
    gain.why = isPath ? GainReason::pathCapacity : GainReason::nextLimit;
  }
  const bool isMore = gain.to && (!gain.from || *gain.to > *gain.from);
  return isMore ? gain : ExpectedGain{input.diagnosis.goodput, std::nullopt, GainReason::pathDecides};
}

ExpectedGain gainOfBuffer(const AdviceInput& input, Bytes size) {
  ExpectedGain gain = gainWithoutLimit(input);
  const auto seconds = rttSeconds(input);
  if (!gain.to || gain.why != GainReason::targetRate) return gain;
  if (!seconds) return {input.diagnosis.goodput, std::nullopt, GainReason::pathDecides};
  // Half of the buffer at least is window: so much passes per RTT.
  const BitsPerSecond atLeast = rateOfWindow(static_cast<double>(size.value()) / 2.0, *seconds);
  gain.to = std::min(*gain.to, atLeast);
  const bool isMore = !gain.from || *gain.to > *gain.from;
  return isMore ? gain : ExpectedGain{input.diagnosis.goodput, std::nullopt, GainReason::pathDecides};
}

ExpectedGain gainWithinScale(const AdviceInput& input, Bytes size) {
  ExpectedGain gain = gainOfBuffer(input, size);
  const auto seconds = rttSeconds(input);
  const auto scale = lacksWindowScaling(input) ? std::optional(Count(0)) : input.evidence.windowScale;
  if (!scale || !seconds) return gain;
  const BitsPerSecond most = rateOfWindow(windowCeilingBytes(*scale), *seconds);
  if (gain.to && *gain.to <= most) return gain;
  const auto& now = input.diagnosis.goodput;
  ExpectedGain capped{now, std::nullopt, GainReason::pathDecides};
  if (!now || most > *now) capped.atMost = most;
  return capped;
}

bool lacksWindowScaling(const AdviceInput& input) {
  return input.evidence.options && !input.evidence.options->windowScale;
}

std::optional<std::uint64_t> connectionsThatFit(const SysctlValues& settings, Bytes perConnection) {
  constexpr std::uint64_t kPage = 4096;
  const auto pages = settings.three("net.ipv4.tcp_mem");
  if (!pages || perConnection.value() == 0) return std::nullopt;
  return (*pages)[1] * kPage / perConnection.value();
}

Reach reachOfWindow(std::optional<Count> windowScale, Bytes buffer) {
  const double window = static_cast<double>(buffer.value()) / 2.0;
  return windowScale && windowCeilingBytes(*windowScale) < window ? Reach::afterReconnect : Reach::live;
}

}  // namespace tcpscope
