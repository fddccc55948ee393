#include "core/advice/target_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/advice/buffer_size.h"
#include "core/base/proportion.h"
#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

/// The value meets the need, or is known not to.
TargetPartCheck judged(TargetPart part, double has, double needs) {
  return {part, has >= needs ? TargetOutcome::passes : TargetOutcome::fails, has, needs};
}

/// The most that an autotuned buffer may hold; the current size where it is fixed.
std::optional<double> mostBytes(const AdviceInput& input, const TunedBuffer& tuned, bool isFixed, Bytes now) {
  const auto largestNow = static_cast<double>(now.value());
  if (isFixed) return largestNow;
  const auto sizes = input.settings.three(tuned.key);
  if (!sizes) return std::nullopt;
  return std::max(largestNow, static_cast<double>((*sizes)[2]));
}

TargetPartCheck windowOfPeer(const AdviceInput& input, double needs) {
  TargetPartCheck check{TargetPart::receiveWindow, TargetOutcome::unknown, std::nullopt, needs};
  if (const auto& scale = input.evidence.windowScale; scale && windowCeilingBytes(*scale) < needs) {
    return judged(check.part, windowCeilingBytes(*scale), needs);
  }
  check.has = input.evidence.receiveWindowBytes.largest();
  if (!check.has) return check;
  if (*check.has >= needs) check.outcome = TargetOutcome::passes;
  // Otherwise unknown: an autotuned window may not have had to grow yet.
  if (*check.has < needs && input.verdict().limit == Limit::receiver) check.outcome = TargetOutcome::fails;
  return check;
}

TargetPartCheck windowOfThisEnd(const AdviceInput& input, double needs) {
  TargetPartCheck check{TargetPart::receiveWindow, TargetOutcome::unknown, std::nullopt, needs};
  const auto scale = input.evidence.windowScale;
  const double ceiling = scale ? windowCeilingBytes(*scale) : INFINITY;
  if (ceiling < needs) return judged(check.part, ceiling, needs);
  check.has = input.evidence.receiveWindowBytes.largest();
  if (check.has && *check.has >= needs) return judged(check.part, *check.has, needs);
  if (!input.evidence.memory) return check;
  const bool isFixed = input.evidence.hasLockedBuffer() || input.settings.number("net.ipv4.tcp_moderate_rcvbuf") == 0U;
  const auto most = mostBytes(input, kReceiveBuffer, isFixed, input.evidence.memory->receiveBuffer);
  if (!most) return check;
  // Half of a buffer at least is window, most of it at best: between the two only a measurement shows it.
  check.has = std::min(ceiling, *most);
  if (*most < needs) check.outcome = TargetOutcome::fails;
  if (*most / 2.0 >= needs) check.outcome = TargetOutcome::passes;
  return check;
}

TargetPartCheck sendBuffer(const AdviceInput& input, double needs) {
  TargetPartCheck check{TargetPart::sendBuffer, TargetOutcome::unknown, std::nullopt, needs};
  if (!input.evidence.memory) return check;
  const bool isFixed = input.evidence.hasLockedBuffer();
  const Bytes now = input.evidence.memory->sendBuffer;
  const double usable = usableSendBufferRatio(input.evidence);
  const double holdsNow = usable * static_cast<double>(now.value());
  if (holdsNow >= needs) return judged(check.part, holdsNow, needs);
  const auto most = mostBytes(input, kSendBuffer, isFixed, now);
  check.has = most ? usable * *most : holdsNow;
  if (!most) return check;
  return judged(check.part, *check.has, needs);
}

/// A queue overflows because the bottleneck is saturated: then the path fails the target, not its losses.
std::optional<TargetPartCheck> lossOrPath(const AdviceInput& input, const TargetCheck& target) {
  const auto& goodput = input.diagnosis.goodput;
  const Cause cause = input.verdict().cause;
  const bool isFull = (cause == Cause::pathFull || cause == Cause::queue || cause == Cause::policer) &&
                      !queueIsOnReturnPath(input.evidence);
  // A bottleneck that is only probably saturated is judged by its losses.
  const bool isSure = input.verdict().confidenceRatio >= kConfident;
  if (isFull && isSure && goodput && input.verdict().limit == Limit::network) {
    // What the headers take off the rate of the path.
    constexpr double kAsGoodAs = 0.93;
    return TargetPartCheck{
        TargetPart::path,
        *goodput >= BitsPerSecond(kAsGoodAs * target.rate.value()) ? TargetOutcome::passes : TargetOutcome::fails,
        goodput->value(), target.rate.value()};
  }
  const auto& mss = input.evidence.mss;
  const bool steers = input.evidence.slowsDownForLoss.value_or(false);
  const auto& packets = input.evidence.dataSegments;
  const auto lost = neededRetransmissions(input.evidence);
  if (!mss || mss->value() == 0 || !steers || !lost || packets.value_or(0) == 0) return std::nullopt;
  const double mayLose = lossBudget(target.rate, target.rttSeconds, static_cast<double>(mss->value())).lossEventRatio;
  TargetPartCheck check{TargetPart::loss, TargetOutcome::unknown, std::nullopt, mayLose};
  if (*lost == 0) {
    if (largestUnseenLossRatio(*packets) <= mayLose) check.outcome = TargetOutcome::passes;
    check.has = 0.0;
    return check;
  }
  const auto& events = input.evidence.estimatedLossEvents;
  const auto ratio95 =
      events ? proportionInterval95(static_cast<std::uint64_t>(std::llround(*events)), *packets) : std::nullopt;
  if (!ratio95) return check;
  check.has = *events / static_cast<double>(*packets);
  if (ratio95->low > mayLose) check.outcome = TargetOutcome::fails;
  if (ratio95->high <= mayLose) check.outcome = TargetOutcome::passes;
  return check;
}

}  // namespace

std::string_view name(TargetPart part) {
  constexpr std::array<std::string_view, 4> kNames = {"receive_window", "send_buffer", "loss", "path"};
  return kNames.at(static_cast<std::size_t>(part));
}

std::string_view name(TargetOutcome outcome) {
  constexpr std::array<std::string_view, 3> kNames = {"passes", "fails", "unknown"};
  return kNames.at(static_cast<std::size_t>(outcome));
}

TargetOutcome TargetCheck::outcome() const {
  const auto any = [&](TargetOutcome outcome) {
    return std::any_of(parts.begin(), parts.end(), [&](const TargetPartCheck& one) { return one.outcome == outcome; });
  };
  if (any(TargetOutcome::fails)) return TargetOutcome::fails;
  return parts.empty() || any(TargetOutcome::unknown) ? TargetOutcome::unknown : TargetOutcome::passes;
}

std::optional<TargetCheck> checkTarget(const AdviceInput& input) {
  const auto& rate = input.goal.targetRate;
  const auto seconds = targetRttOfPath(input);
  if (!rate || rate->value() <= 0.0 || !seconds) return std::nullopt;
  TargetCheck target{*rate, *seconds, {}};
  const double underWay = bandwidthDelayBytes(*rate, *seconds);
  if (input.side() == Side::receiving) {
    target.parts = {windowOfThisEnd(input, underWay)};
    return target;
  }
  target.parts = {windowOfPeer(input, underWay), sendBuffer(input, underWay)};
  if (const auto check = lossOrPath(input, target)) target.parts.push_back(*check);
  return target;
}

}  // namespace tcpscope
