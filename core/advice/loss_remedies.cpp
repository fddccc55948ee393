#include <algorithm>
#include <cmath>

#include "core/advice/buffer_size.h"
#include "core/advice/remedies.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/loss_response.h"
#include "core/model/segment_size.h"

namespace tcpscope::remedies {

namespace {

/// Losses limit the sender, and the RTTs show no queue. A queue that overflows loses packets because the bottleneck is
/// saturated: slowing down is right then.
bool losesWithoutAQueue(const AdviceInput& input) {
  const auto trip = rtt(input.evidence);
  return input.side() == Side::sending && input.verdict().cause == Cause::loss && trip && !pathHasQueue(*trip);
}

/// A short queue that overflows shows less than one that is called a queue.
bool mayComeFromAShortQueue(const AdviceInput& input) {
  constexpr double kSomeQueue = 1.12;
  const auto trip = rtt(input.evidence);
  return queueFillsBeforeLoss(input.evidence) || (trip && trip->inflation() >= kSomeQueue);
}

/// The bound of the model of loss that fits the congestion control, the lowest where two fit; absent where none
/// applies, where the bottleneck is saturated, and where a short queue may be what overflows.
std::optional<Bound> boundOfLossAlone(const AdviceInput& input) {
  if (!losesWithoutAQueue(input) || mayComeFromAShortQueue(input)) return std::nullopt;
  std::optional<Bound> lowest;
  for (const Bound& bound : input.diagnosis.bounds) {
    const bool isOfLoss = bound.applies && bound.rate && bound.lossEventRatio;
    if (isOfLoss && (!lowest || *bound.rate < *lowest->rate)) lowest = bound;
  }
  return lowest;
}

/// What losses alone would allow with segments that are `growth` times as large: the rate of each model grows with
/// them. A transfer that is faster than its model shows that the model is too low for it.
BitsPerSecond rateWithSegments(const AdviceInput& input, const Bound& ofLoss, double growth) {
  BitsPerSecond rate(std::max(*ofLoss.rate, input.diagnosis.goodput.value_or(BitsPerSecond(0.0))).value() * growth);
  return input.goal.targetRate ? std::min(rate, *input.goal.targetRate) : rate;
}

}  // namespace

namespace {

constexpr std::string_view kSetting = "net.ipv4.tcp_congestion_control";
constexpr std::string_view kWanted = "bbr";

}  // namespace

std::optional<Remedy> randomLoss(const AdviceInput& input) {
  const std::string_view control = input.evidence.congestionControlName();
  if (!slowsDownForLoss(control) || !losesWithoutAQueue(input)) return std::nullopt;
  const auto lost = lossRatio(input.evidence);
  if (!lost || *lost > kLossThatBbrTolerates) return std::nullopt;
  const auto setting = input.settings.text(kSetting);
  const bool programChoseIt = setting && *setting != control;
  Remedy remedy;
  remedy.id = RemedyId::randomLoss;
  remedy.place = programChoseIt ? RemedyPlace::program : RemedyPlace::here;
  remedy.reach = programChoseIt ? Reach::live : Reach::afterReconnect;
  if (programChoseIt) {
    remedy.changes = {{SettingKind::socketOption, "TCP_CONGESTION", std::string(control), std::string(kWanted)}};
  } else {
    const auto now = setting ? std::optional(std::string(*setting)) : std::nullopt;
    remedy.changes = {{SettingKind::sysctl, kSetting, now, std::string(kWanted)}};
  }
  remedy.gain = gainWithoutLimit(input);
  if (auto& to = remedy.gain.to) to = BitsPerSecond(to->value() * (1.0 - *lost));
  // Who chose the control of today is not known then, either.
  if (!setting) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::othersSlowDownForLoss);
  // BBR paces what it sends.
  remedy.preconditions.push_back(Precondition::pacedMeetMoreLosses);
  return remedy;
}

std::optional<Remedy> jumboFrames(const AdviceInput& input) {
  constexpr auto kJumboSegment = static_cast<double>(segmentOf(kJumboMtu).value());
  const auto& mss = input.evidence.mss;
  const auto bound = boundOfLossAlone(input);
  // A segment of half that size is of a path with large frames already.
  if (!bound || !mss || static_cast<double>(mss->value()) * 2.0 > kJumboSegment) return std::nullopt;
  // What the path carries already comes first (smallSegments).
  if (segmentsAreFarBelowPathMtu(input.evidence)) return std::nullopt;
  const BitsPerSecond rate = rateWithSegments(input, *bound, kJumboSegment / static_cast<double>(mss->value()));
  const auto& goodput = input.diagnosis.goodput;
  if (goodput && rate <= *goodput) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::jumboFrames;
  remedy.place = RemedyPlace::eitherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {
      {SettingKind::command, "sudo ip link set dev DEVICE mtu", std::nullopt, std::to_string(kJumboMtu.value())}};
  if (const auto& packet = input.evidence.pathMtu) remedy.changes.front().now = std::to_string(packet->value());
  remedy.gain = {goodput, rate, GainReason::lossModel};
  remedy.evidence = {{"loss_event_ratio", *bound->lossEventRatio, std::nullopt, {}},
                     {"snd_mss_bytes", static_cast<double>(mss->value()), kJumboSegment, {}}};
  remedy.preconditions = {Precondition::everyLinkHasToCarryIt, Precondition::packetsAreLostNotBits,
                          Precondition::bothEndsNeedRoom};
  return remedy;
}

std::optional<Remedy> smallSegments(const AdviceInput& input) {
  const ConnectionEvidence& evidence = input.evidence;
  if (input.side() != Side::sending || evidence.isLoopback || !segmentsAreFarBelowPathMtu(evidence)) {
    return std::nullopt;
  }
  const auto mss = static_cast<double>(evidence.mss->value());
  const auto full = static_cast<double>(segmentOf(*evidence.pathMtu).value());
  Remedy remedy;
  remedy.id = RemedyId::smallSegments;
  remedy.place = RemedyPlace::eitherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::socketOption, "TCP_MAXSEG", std::to_string(evidence.mss->value()), "unset"}};
  remedy.gain.from = input.diagnosis.goodput;
  if (const auto bound = boundOfLossAlone(input)) {
    const BitsPerSecond rate = rateWithSegments(input, *bound, full / mss);
    if (!remedy.gain.from || rate > *remedy.gain.from) {
      remedy.gain.to = rate;
      remedy.gain.why = GainReason::lossModel;
    }
  }
  remedy.evidence = {{"snd_mss_bytes", mss, static_cast<double>(evidence.pathMtu->value()), "pmtu_bytes"}};
  return remedy;
}

std::optional<Remedy> parallelStreams(const AdviceInput& input) {
  // Without a target some are proposed to be measured; more than eight is what the experiments of the papers had to
  // have for small windows, and brings severe unfairness.
  constexpr double kUsual = 4.0;
  constexpr double kMost = 8.0;
  const auto bound = boundOfLossAlone(input);
  const auto& goodput = input.diagnosis.goodput;
  if (!bound || !goodput || goodput->value() <= 0.0) return std::nullopt;
  const auto& target = input.goal.targetRate;
  const double connections = target ? std::clamp(std::ceil(target->value() / goodput->value()), 1.0, kMost) : kUsual;
  if (connections < 2.0) return std::nullopt;
  BitsPerSecond rate(connections * goodput->value());
  if (target) rate = std::min(rate, *target);
  Remedy remedy;
  remedy.id = RemedyId::parallelStreams;
  remedy.place = RemedyPlace::program;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {
      {SettingKind::command, "connections of the program:", "1", std::to_string(static_cast<int>(connections))}};
  remedy.gain = {goodput, rate, GainReason::lossModel};
  remedy.evidence = {{"loss_event_ratio", *bound->lossEventRatio, std::nullopt, {}}};
  remedy.preconditions = {Precondition::takesTheShareOfAsMany};
  return remedy;
}

}  // namespace tcpscope::remedies
