#include "core/present/text/sentences.h"

namespace tcpscope {

std::string_view title(RuleId rule) {
  switch (rule) {
    case RuleId::receiverWindowTooSmall:
      return "The receiver's window is too small";
    case RuleId::windowScaleCapsWindow:
      return "The window scale caps the window";
    case RuleId::sendBufferTooSmall:
      return "The send buffer is too small";
    case RuleId::networkLoss:
      return "Packets are lost on the path";
    case RuleId::queueing:
      return "Packets wait in a queue on the path";
    case RuleId::congestionWindow:
      return "The congestion window sets the rate";
    case RuleId::pacingLimit:
      return "The program limits its own rate";
    case RuleId::applicationTooSlow:
      return "The sending program does not send more";
    case RuleId::receivingApplicationTooSlow:
      return "The receiving program reads too slowly";
    case RuleId::receiveBufferTooSmall:
      return "The receive buffer is too small";
    case RuleId::bufferLocked:
      return "The program fixed a buffer's size";
    case RuleId::optionsMissing:
      return "TCP options are missing or small";
    case RuleId::timeouts:
      return "Retransmission timeouts";
    case RuleId::reordering:
      return "Packets arrive out of order";
    case RuleId::ecnMarks:
      return "Routers mark packets as congested";
    case RuleId::acceptQueueOverflow:
      return "The accept queue is full";
    case RuleId::count:
      break;
  }
  return "Unknown";
}

}  // namespace tcpscope
