#include "core/present/text/diagnosis_text.h"

namespace tcpscope {

std::string_view title(RuleId rule) {
  switch (rule) {
    case RuleId::receiverWindowTooSmall:
      return "Receive window too small";
    case RuleId::windowScaleCapsWindow:
      return "Receive window at its window-scale limit";
    case RuleId::sendBufferTooSmall:
      return "Send buffer too small";
    case RuleId::networkLoss:
      return "Packet loss on the path";
    case RuleId::queueing:
      return "Queueing delay on the path";
    case RuleId::returnPathQueue:
      return "Queueing delay on the return path";
    case RuleId::congestionWindow:
      return "Congestion-window limited";
    case RuleId::pacingLimit:
      return "Pacing limit (SO_MAX_PACING_RATE)";
    case RuleId::applicationTooSlow:
      return "Application-limited sender";
    case RuleId::receivingApplicationTooSlow:
      return "Slow receiving application";
    case RuleId::receiveBufferTooSmall:
      return "Receive buffer too small";
    case RuleId::bufferLocked:
      return "Fixed buffer size (SO_SNDBUF, SO_RCVBUF)";
    case RuleId::optionsMissing:
      return "TCP options missing";
    case RuleId::timeouts:
      return "Retransmission timeouts";
    case RuleId::reordering:
      return "Reordering";
    case RuleId::ecnMarks:
      return "ECN CE marks";
    case RuleId::smallSegments:
      return "Segments far below the path MTU";
    case RuleId::slowStart:
      return "Transfer ends in slow start";
    case RuleId::idleRestart:
      return "Slow start after idle";
    case RuleId::unansweredOpening:
      return "Connection attempt unanswered";
    case RuleId::slowOpening:
      return "Slow handshake (SYN retransmitted)";
    case RuleId::stalled:
      return "Connection stalled";
    case RuleId::smallWrites:
      return "Small writes wait (Nagle)";
    case RuleId::applicationWindow:
      return "Window of the application's protocol";
    case RuleId::leftOpen:
      return "Connection left open";
    case RuleId::busyWithPackets:
      return "A processor busy with packets";
    case RuleId::acceptQueueOverflow:
      return "Accept queue full";
    case RuleId::count:
      break;
  }
  return "Unknown";
}

}  // namespace tcpscope
