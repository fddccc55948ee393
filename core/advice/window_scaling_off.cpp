#include "core/advice/window_scaling_off.h"

#include "core/advice/buffer_size.h"
#include "core/advice/option_off.h"

namespace tcpscope::remedies {

std::optional<Remedy> windowScalingOff(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const auto options = input.socket.info.options();
  const bool isMissing = options && !options->windowScale();
  if (verdict.limit != Limit::receiver || verdict.cause != Cause::windowScale || !isMissing) return std::nullopt;
  Remedy remedy = switchOptionOn(input, RemedyId::windowScalingOff, "net.ipv4.tcp_window_scaling");
  const auto sizes = input.settings.three(kReceiveBuffer.key);
  const bool isHere = input.side() == Side::receiving && sizes.has_value();
  remedy.gain = gainOfBuffer(input, Bytes(isHere ? (*sizes)[2] : kReceiveBuffer.kernelDefault[2]));
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace tcpscope::remedies
