#include "core/diagnosis/evidence/left_open.h"

namespace tcpscope {

bool isLeftOpen(const ConnectionEvidence& sending) {
  // Nothing arrives behind the peer's FIN or its acknowledgment of ours, so that the silence is the age of the state.
  const bool isOld = sending.sinceLastAck && *sending.sinceLastAck >= kLeftOpenFor;
  const bool isHeld = sending.state == TcpState::closeWait ||
                      (sending.state == TcpState::finWait2 && !sending.timer && sending.isHeldByProgram == true);
  return isOld && isHeld;
}

}  // namespace tcpscope
