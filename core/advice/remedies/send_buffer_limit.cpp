#include "core/advice/remedies/send_buffer_limit.h"

#include "core/advice/buffer_size.h"

namespace tcpscope::remedies {

std::optional<Remedy> sendBufferLimit(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  const bool isBuffer = verdict.limit == Limit::sendBuffer && verdict.cause == Cause::bufferLimit;
  if (input.side() != Side::sending || !isBuffer) return std::nullopt;
  const auto sizes = input.settings.three(kSendBuffer.key);
  const auto wanted = wantedBuffer(input, kSendBuffer, sizes ? std::optional((*sizes)[2]) : std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::sendBufferLimit;
  remedy.changes = {raisedLimit(input.settings, kSendBuffer, *wanted)};
  remedy.gain = gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.connectionsThatFit = connectionsThatFit(input.settings, *wanted);
  if (!sizes) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace tcpscope::remedies
