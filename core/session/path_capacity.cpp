#include "core/session/path_capacity.h"

#include "core/diagnosis/evidence/kernel_evidence.h"
#include "core/diagnosis/next_limit.h"

namespace tcpscope {

void learnCapacity(ConnectionDetail& detail, const ConnectionAnalysis& analysis) {
  const Endpoint local{detail.socket.local.address.unmapped(), detail.socket.local.port};
  const std::size_t sent = analysis.flow.initiator == local ? 0 : 1;
  const auto learn = [&](std::optional<SideDiagnosis>& side, std::size_t direction) {
    const auto& capacity = analysis.directions.at(direction).diagnosis.pathCapacity;
    if (!side || !capacity) return;
    side->pathCapacity = capacity;
    ConnectionEvidence evidence = kernelEvidence(detail.socket, detail.window, side->side);
    evidence.pathCapacity = capacity;
    side->verdict.next = nextLimit(evidence, side->verdict);
    if (side->side == detail.diagnosis.bulk) detail.diagnosis.verdict.next = side->verdict.next;
  };
  learn(detail.diagnosis.sending, sent);
  learn(detail.diagnosis.receiving, 1 - sent);
}

}  // namespace tcpscope
