#include "core/advice/remedies/receive_buffer_limit.h"

#include "core/advice/buffer_size.h"

namespace tcpscope::remedies {

namespace {

/// The buffer itself, or a scale that followed from it when the connection began.
bool isOfBuffer(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (verdict.limit != Limit::receiver) return false;
  const auto options = input.socket.info.options();
  const bool scaleIsSmall = verdict.cause == Cause::windowScale && options && options->windowScale();
  return verdict.cause == Cause::bufferLimit || scaleIsSmall;
}

}  // namespace

std::optional<Remedy> receiveBufferLimit(const AdviceInput& input) {
  if (input.side() != Side::receiving || !isOfBuffer(input)) return std::nullopt;
  // With auto-tuning off the third number holds nothing back; whether it will is known only with a target.
  if (input.settings.number("net.ipv4.tcp_moderate_rcvbuf") == 0U && !input.goal.targetRate) return std::nullopt;
  const auto sizes = input.settings.three(kReceiveBuffer.key);
  const auto wanted = wantedBuffer(input, kReceiveBuffer, sizes ? std::optional((*sizes)[2]) : std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::receiveBufferLimit;
  remedy.reach = kReachOfTunedReceiveBuffer;
  remedy.changes = {raisedLimit(input.settings, kReceiveBuffer, *wanted)};
  remedy.gain = gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.connectionsThatFit = connectionsThatFit(input.settings, *wanted);
  if (!sizes) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace tcpscope::remedies
