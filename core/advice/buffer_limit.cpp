#include "core/advice/buffer_limit.h"

#include "core/advice/buffer_size.h"

namespace tcpscope::remedies {

namespace {

/// The buffer itself, or a scale that followed from it when the connection began.
bool isOfReceiveBuffer(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (verdict.limit != Limit::receiver) return false;
  const auto options = input.socket.info.options();
  const bool scaleIsSmall = verdict.cause == Cause::windowScale && options && options->windowScale();
  return verdict.cause == Cause::bufferLimit || scaleIsSmall;
}

std::optional<Remedy> higherLimit(const AdviceInput& input, RemedyId id, const TunedBuffer& buffer, Reach reach) {
  const auto sizes = input.settings.three(buffer.key);
  const auto wanted = wantedBuffer(input, buffer, sizes ? std::optional((*sizes)[2]) : std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = id;
  remedy.reach = reach;
  remedy.changes = {raisedLimit(input.settings, buffer, *wanted)};
  remedy.gain = gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.connectionsThatFit = connectionsThatFit(input.settings, *wanted);
  if (!sizes) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace

std::optional<Remedy> receiveBufferLimit(const AdviceInput& input) {
  if (input.side() != Side::receiving || !isOfReceiveBuffer(input)) return std::nullopt;
  // With auto-tuning off the third number holds nothing back; whether it will is known only with a target.
  if (input.settings.number("net.ipv4.tcp_moderate_rcvbuf") == 0U && !input.goal.targetRate) return std::nullopt;
  return higherLimit(input, RemedyId::receiveBufferLimit, kReceiveBuffer, kReachOfTunedReceiveBuffer);
}

std::optional<Remedy> sendBufferLimit(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const bool isBuffer = verdict.limit == Limit::sendBuffer && verdict.cause == Cause::bufferLimit;
  if (input.side() != Side::sending || !isBuffer) return std::nullopt;
  return higherLimit(input, RemedyId::sendBufferLimit, kSendBuffer, Reach::live);
}

}  // namespace tcpscope::remedies
