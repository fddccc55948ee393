#include "collectors/host/netlink_question.h"

#include <array>
#include <cstring>
#include <vector>

#include "collectors/system/monotonic_clock.h"
#include "core/base/invariant.h"

namespace tcpscope {

namespace {

enum class Step : std::uint8_t { goOn, answer, done };

/// What a message of the kernel is to the question with this header.
Expected<Step, NetlinkError> stepOf(const NetlinkMessage& message, std::uint32_t sequence, std::uint32_t port) {
  if (message.header.nlmsg_seq != sequence || message.header.nlmsg_pid != port) return Step::goOn;
  if (message.header.nlmsg_type != NLMSG_DONE && message.header.nlmsg_type != NLMSG_ERROR) return Step::answer;
  std::int32_t status = 0;
  if (message.payload.size() >= sizeof status) std::memcpy(&status, message.payload.data(), sizeof status);
  if (status < 0) return Unexpected<NetlinkError>(netlinkError(NetlinkError::Attempt::receive, -status));
  return Step::done;
}

}  // namespace

Expected<AnswerEnd, NetlinkError> askKernel(NetlinkChannel& channel, std::span<const std::byte> request,
                                            const std::function<void(const NetlinkMessage&)>& visit,
                                            const QuestionLimits& limits) {
  nlmsghdr asked{};
  TCPSCOPE_INVARIANT(request.size() >= sizeof asked);
  std::memcpy(&asked, request.data(), sizeof asked);
  if (const auto sent = channel.send(request); !sent) return Unexpected<NetlinkError>(sent.error());
  const Moment until = monotonicNow() + limits.time;
  std::vector<std::byte> buffer(kReceiveBufferBytes);
  std::size_t count = 0;
  for (;;) {
    const Expected<std::size_t, NetlinkError> size = channel.receive(buffer);
    if (!size) {
      const NetlinkError::Kind kind = size.error().kind;
      if (kind == NetlinkError::Kind::overflow || kind == NetlinkError::Kind::truncated) return AnswerEnd::cut;
      const Moment now = monotonicNow();
      const auto left = now < until ? std::chrono::ceil<Milliseconds>(until - now) : Milliseconds(0);
      if (kind != NetlinkError::Kind::nothingWaiting || !channel.waitReadable(left)) {
        return Unexpected<NetlinkError>(size.error());
      }
      continue;
    }
    NetlinkMessages messages(std::span<const std::byte>(buffer).first(*size));
    while (const std::optional<NetlinkMessage> message = messages.next()) {
      const auto step = stepOf(*message, asked.nlmsg_seq, channel.portId());
      if (!step) return Unexpected<NetlinkError>(step.error());
      if (*step == Step::done) return AnswerEnd::whole;
      if (*step == Step::goOn) continue;
      if (count++ == limits.messages) return AnswerEnd::cut;
      visit(*message);
      if ((message->header.nlmsg_flags & NLM_F_MULTI) == 0) return AnswerEnd::whole;
    }
    if (messages.cut() || monotonicNow() > until) return AnswerEnd::cut;
  }
}

}  // namespace tcpscope
