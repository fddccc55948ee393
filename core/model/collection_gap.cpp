#include "core/model/collection_gap.h"

namespace tcpscope {

GapSeverity severity(GapKind kind) {
  switch (kind) {
    case GapKind::repeatedSocket:
    case GapKind::foreignMessage:
      return GapSeverity::info;
    case GapKind::dumpInterrupted:
    case GapKind::focusSlotMissed:
    case GapKind::requestRefused:
    case GapKind::textCut:
    case GapKind::eventsLost:
    case GapKind::namespacesHidden:
      return GapSeverity::warning;
    case GapKind::receiveBufferOverflow:
    case GapKind::malformedMessage:
    case GapKind::queueFull:
    case GapKind::socketBudget:
    case GapKind::damagedFrame:
    case GapKind::agentEnded:
    case GapKind::ownerBudget:
    case GapKind::recordBudget:
    case GapKind::detailBudget:
      return GapSeverity::dataLoss;
  }
  return GapSeverity::dataLoss;
}

std::string_view name(GapKind kind) {
  switch (kind) {
    case GapKind::receiveBufferOverflow:
      return "receive_buffer_overflow";
    case GapKind::dumpInterrupted:
      return "dump_interrupted";
    case GapKind::malformedMessage:
      return "malformed_message";
    case GapKind::foreignMessage:
      return "foreign_message";
    case GapKind::repeatedSocket:
      return "repeated_socket";
    case GapKind::requestRefused:
      return "request_refused";
    case GapKind::queueFull:
      return "queue_full";
    case GapKind::focusSlotMissed:
      return "focus_slot_missed";
    case GapKind::socketBudget:
      return "socket_budget";
    case GapKind::damagedFrame:
      return "damaged_frame";
    case GapKind::agentEnded:
      return "agent_ended";
    case GapKind::textCut:
      return "text_cut";
    case GapKind::ownerBudget:
      return "owner_budget";
    case GapKind::recordBudget:
      return "record_budget";
    case GapKind::detailBudget:
      return "detail_budget";
    case GapKind::eventsLost:
      return "events_lost";
    case GapKind::namespacesHidden:
      return "namespaces_hidden";
  }
  return "unknown";
}

std::string_view name(GapSeverity severity) {
  switch (severity) {
    case GapSeverity::info:
      return "info";
    case GapSeverity::warning:
      return "warning";
    case GapSeverity::dataLoss:
      return "data_loss";
  }
  return "unknown";
}

bool maySkipSockets(GapKind kind) {
  const bool isOfDetails = kind == GapKind::textCut || kind == GapKind::ownerBudget || kind == GapKind::recordBudget ||
                           kind == GapKind::detailBudget || kind == GapKind::eventsLost;
  // These are of other places.
  return !isOfDetails && kind != GapKind::namespacesHidden && severity(kind) != GapSeverity::info;
}

bool missesPolls(GapKind kind) {
  return kind == GapKind::queueFull || kind == GapKind::damagedFrame;
}

}  // namespace tcpscope
