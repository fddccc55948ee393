#include "core/advice/path_advice.h"

#include "core/advice/buffer_size.h"

namespace tcpscope {

namespace {

BufferBasis basisOf(const PathRate& rate) {
  if (rate.isOfPath()) return BufferBasis::ofPath;
  const bool wasBuffer = rate.limit == Limit::receiver || rate.limit == Limit::sendBuffer;
  return wasBuffer ? BufferBasis::ofBuffer : BufferBasis::atLeast;
}

}  // namespace

std::string_view bufferSetting(Side side) {
  return side == Side::sending ? kSendBuffer.key : kReceiveBuffer.key;
}

BufferAdvice adviseBuffer(const PathEntry& entry, Side side, const SysctlValues& settings) {
  BufferAdvice advice{side, {}, {}, BufferBasis::atLeast, {}, {}};
  if (const auto limits = settings.three(bufferSetting(side))) advice.largestHere = Bytes((*limits)[2]);
  const auto& rate = side == Side::sending ? entry.sending : entry.receiving;
  if (!entry.rtt) {
    advice.whyNot = WhyNoBuffer::noRtt;
  } else if (!rate) {
    advice.whyNot = WhyNoBuffer::noRate;
  } else {
    advice.rate = rate->rate;
    advice.wanted = bufferForPath(rate->rate, toSeconds(entry.rtt->smallest));
    advice.basis = basisOf(*rate);
  }
  return advice;
}

}  // namespace tcpscope
