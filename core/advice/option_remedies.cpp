#include "core/advice/buffer_size.h"
#include "core/advice/remedies.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::remedies {

namespace {

/// Switches an option on at the end that has it off, for connections that are opened afterwards. The sysctl of this
/// host shows which end that is: an end that has it on offers it. It may be either where the sysctl is not known.
Remedy switchOptionOn(const AdviceInput& input, RemedyId id, std::string_view key) {
  const auto now = input.settings.number(key);
  Remedy remedy;
  remedy.id = id;
  remedy.place = RemedyPlace::eitherEnd;
  if (now) remedy.place = *now == 0 ? RemedyPlace::here : RemedyPlace::peer;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, key, std::nullopt, "1"}};
  if (remedy.place == RemedyPlace::here) remedy.changes.front().now = std::to_string(*now);
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  return remedy;
}

}  // namespace

std::optional<Remedy> windowScalingOff(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (verdict.limit != Limit::receiver || !lacksWindowScaling(input)) return std::nullopt;
  Remedy remedy = switchOptionOn(input, RemedyId::windowScalingOff, kWindowScalingKey);
  const bool isSetByProgram = verdict.cause == Cause::bufferLocked || verdict.cause == Cause::windowClamp;
  if (verdict.cause == Cause::bufferLimit || isSetByProgram) {
    // The buffer holds the window below 64 KiB: only once it is larger does scaling bring something. Where both are
    // settings of the same host, the remedy of the buffer sets both.
    const RemedyPlace ofBuffer = input.side() == Side::receiving ? RemedyPlace::here : RemedyPlace::peer;
    const bool setsBoth = remedy.place == ofBuffer || remedy.place == RemedyPlace::eitherEnd;
    if (setsBoth && !isSetByProgram) return std::nullopt;
    remedy.gain.from = input.diagnosis.goodput;
    // The program sets the same again after a reconnect.
    if (isSetByProgram) remedy.gain.atMost = input.diagnosis.goodput;
    remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
    return remedy;
  }
  if (verdict.cause != Cause::windowScale) return std::nullopt;
  const auto sizes = input.settings.three(kReceiveBuffer.key);
  const bool isHere = input.side() == Side::receiving && sizes.has_value();
  remedy.gain = gainOfBuffer(input, Bytes(isHere ? (*sizes)[2] : kReceiveBuffer.kernelDefault[2]));
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

std::optional<Remedy> sackOff(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const auto& options = input.evidence.options;
  // Recovery takes so much of the time that a faster one is felt, whatever the verdict calls it: losses at a saturated
  // bottleneck, too, or a receive window that fills up behind a gap.
  constexpr double kFelt = 0.1;
  const bool losesPackets =
      verdict.cause == Cause::loss || verdict.cause == Cause::policer || repairRatio(input.evidence) >= kFelt;
  const bool nothingPasses = verdict.cause == Cause::mtu;
  if (input.side() != Side::sending || !losesPackets || nothingPasses || !options || options->sack) {
    return std::nullopt;
  }
  Remedy remedy = switchOptionOn(input, RemedyId::sackOff, "net.ipv4.tcp_sack");
  // How much faster recovery becomes depends on how losses cluster; more than all of its time it cannot save.
  const auto& goodput = input.diagnosis.goodput;
  remedy.gain.from = goodput;
  const double repairs = std::min(repairRatio(input.evidence).value_or(1.0), 0.99);
  if (goodput) remedy.gain.atMost = BitsPerSecond(goodput->value() / (1.0 - repairs));
  return remedy;
}

std::optional<Remedy> timestampsOff(const AdviceInput& input) {
  // RFC 9293, section 3.4.2: a segment lives two minutes at most. Half of the numbers count as new.
  constexpr double kLifetimeSeconds = 120.0;
  constexpr double kHalfOfTheNumbers = 2147483648.0;
  const auto& options = input.evidence.options;
  const auto& goodput = input.diagnosis.goodput;
  if (!options || options->timestamps || !goodput) return std::nullopt;
  const double inALifetime = goodput->value() / kBitsPerByte * kLifetimeSeconds;
  if (inALifetime <= kHalfOfTheNumbers) return std::nullopt;
  Remedy remedy = switchOptionOn(input, RemedyId::timestampsOff, "net.ipv4.tcp_timestamps");
  remedy.gain = {goodput, std::nullopt, GainReason::safety};
  remedy.evidence = {{"goodput_bps", goodput->value(), kHalfOfTheNumbers * kBitsPerByte / kLifetimeSeconds, {}}};
  return remedy;
}

std::optional<Remedy> ecnOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_ecn";
  // An occasional overflow is how a sender learns that the bottleneck is saturated, and costs little.
  constexpr double kFelt = 0.1;
  const auto& options = input.evidence.options;
  const auto trip = rtt(input.evidence);
  const bool overflows =
      trip && pathHasQueue(*trip) && neededRetransmissions(input.evidence) > 0U && repairRatio(input.evidence) >= kFelt;
  const Cause cause = input.verdict().cause;
  const bool isOfThePath = cause == Cause::pathFull || cause == Cause::queue || cause == Cause::loss;
  if (!input.goal.pathMarks) return std::nullopt;
  if (input.side() != Side::sending || !isOfThePath || !overflows || !options || options->ecn) return std::nullopt;
  const auto now = input.settings.number(kKey);
  // It is requested already: the peer or a middlebox refuses it.
  if (now && *now != 0 && *now != 2) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::ecnOff;
  remedy.place = now ? RemedyPlace::here : RemedyPlace::eitherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, now ? std::optional(std::to_string(*now)) : std::nullopt, "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::queuesHaveToMark);
  remedy.preconditions.push_back(Precondition::openingEndHasToAsk);
  return remedy;
}

}  // namespace tcpscope::remedies
