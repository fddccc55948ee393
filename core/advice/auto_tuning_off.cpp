#include "core/advice/auto_tuning_off.h"

#include "core/advice/buffer_size.h"

namespace tcpscope::remedies {

std::optional<Remedy> autoTuningOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_moderate_rcvbuf";
  const Verdict& verdict = input.verdict();
  const bool isBuffer = verdict.limit == Limit::receiver && verdict.cause == Cause::bufferLimit;
  if (input.side() != Side::receiving || !isBuffer || input.settings.number(kKey) != 0U) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::autoTuningOff;
  remedy.reach = kReachOfTunedReceiveBuffer;
  remedy.changes = {{SettingKind::sysctl, kKey, "0", "1"}};
  if (const auto sizes = input.settings.three(kReceiveBuffer.key)) {
    remedy.memoryPerConnection = Bytes((*sizes)[2]);
    remedy.connectionsThatFit = connectionsThatFit(input.settings, Bytes((*sizes)[2]));
  }
  remedy.gain = gainOfBuffer(input, remedy.memoryPerConnection.value_or(Bytes(kReceiveBuffer.kernelDefault[2])));
  remedy.preconditions = {Precondition::bothEndsNeedRoom};
  return remedy;
}

}  // namespace tcpscope::remedies
