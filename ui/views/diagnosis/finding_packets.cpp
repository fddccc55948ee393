#include "ui/views/diagnosis/finding_packets.h"

#include "ui/plots/packet_order.h"

namespace tcpscope {

std::vector<GraphItem> packetsOfFinding(RuleId rule) {
  switch (rule) {
    case RuleId::networkLoss:
    case RuleId::congestionWindow: {
      const auto items = retransmissionItems();
      return {items.begin(), items.end()};
    }
    case RuleId::timeouts:
      return {GraphItem::timeout, GraphItem::tailLossProbe};
    case RuleId::stalled:
      return {GraphItem::timeout, GraphItem::tailLossProbe, GraphItem::probe};
    case RuleId::reordering:
      return {GraphItem::outOfOrder, GraphItem::spurious};
    case RuleId::receiverWindowTooSmall:
    case RuleId::windowScaleCapsWindow:
    case RuleId::receivingApplicationTooSlow:
    case RuleId::receiveBufferTooSmall:
    case RuleId::applicationWindow:
      return {GraphItem::zeroWindow, GraphItem::probe};
    case RuleId::unansweredOpening:
    case RuleId::slowOpening:
    case RuleId::acceptQueueOverflow:
      return {GraphItem::handshakeAgain};
    case RuleId::leftOpen:
      return {GraphItem::probe};
    case RuleId::sendBufferTooSmall:
    case RuleId::queueing:
    case RuleId::returnPathQueue:
    case RuleId::pacingLimit:
    case RuleId::applicationTooSlow:
    case RuleId::bufferLocked:
    case RuleId::optionsMissing:
    case RuleId::ecnMarks:
    case RuleId::smallSegments:
    case RuleId::slowStart:
    case RuleId::idleRestart:
    case RuleId::smallWrites:
    case RuleId::busyWithPackets:
    case RuleId::count:
      break;
  }
  return {};
}

}  // namespace tcpscope
