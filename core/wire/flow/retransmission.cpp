#include "core/wire/flow/retransmission.h"

namespace tcpscope {

std::string_view name(RetransmissionCause cause) {
  switch (cause) {
    case RetransmissionCause::timeout:
      return "timeout";
    case RetransmissionCause::fast:
      return "fast";
    case RetransmissionCause::tailLossProbe:
      return "tail_loss_probe";
    case RetransmissionCause::recovery:
      return "recovery";
    case RetransmissionCause::spurious:
      return "spurious";
    case RetransmissionCause::syn:
      return "syn";
    case RetransmissionCause::unknown:
      break;
  }
  return "unknown";
}

RetransmissionCause Retransmission::cause() const {
  const bool byAcknowledgments = trigger == RetransmissionCause::fast || trigger == RetransmissionCause::recovery ||
                                 trigger == RetransmissionCause::unknown;
  return isSpurious && byAcknowledgments ? RetransmissionCause::spurious : trigger;
}

}  // namespace tcpscope
