#include "core/advice/jumbo_frames.h"

#include <algorithm>

#include "core/advice/loss_alone.h"

namespace tcpscope::remedies {

std::optional<Remedy> jumboFrames(const AdviceInput& input) {
  // 9000 bytes less 40 of headers and 12 of timestamps.
  constexpr double kJumboSegment = 8948.0;
  const auto mss = input.socket.info.sndMss();
  const auto bound = boundOfLossAlone(input);
  // A segment of half that size is of a path with large frames already.
  if (!bound || !mss || static_cast<double>(mss->value()) * 2.0 > kJumboSegment) return std::nullopt;
  BitsPerSecond rate(bound->rate->value() * kJumboSegment / static_cast<double>(mss->value()));
  if (input.goal.targetRate) rate = std::min(rate, *input.goal.targetRate);
  const auto& goodput = input.diagnosis.goodput;
  if (goodput && rate <= *goodput) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::jumboFrames;
  remedy.place = RemedyPlace::eitherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::command, "sudo ip link set dev DEVICE mtu", std::nullopt, "9000"}};
  if (const auto packet = input.socket.info.pmtu()) remedy.changes.front().now = std::to_string(packet->value());
  remedy.gain = {goodput, rate, GainReason::lossModel};
  remedy.evidence = {{"loss_event_ratio", *bound->lossEventRatio, std::nullopt, {}},
                     {"snd_mss_bytes", static_cast<double>(mss->value()), kJumboSegment, {}}};
  remedy.preconditions = {Precondition::everyLinkHasToCarryIt, Precondition::packetsAreLostNotBits,
                          Precondition::bothEndsNeedRoom};
  return remedy;
}

}  // namespace tcpscope::remedies
