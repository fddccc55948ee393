// Any bytes as records of the program in the kernel, one behind the other, and as the payload of an event: drops and
// retransmissions in any order and of any range.
#include <cstdint>
#include <span>

#include "collectors/bpf/loss_source.h"
#include "core/base/invariant.h"

using namespace tcpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  auto rest = std::as_bytes(std::span(bytes, size));
  if (const auto payload = decodeLossReport(rest)) {
    TCPSCOPE_INVARIANT(decodeLossReport(encodeLossReport(*payload)) == payload);
  }
  LossReporter reporter(1, Moment());
  for (; rest.size() >= sizeof(KernelRecord); rest = rest.subspan(sizeof(KernelRecord))) {
    const auto event = decodeKernelRecord(rest);
    if (!event) continue;
    const auto reason = event->dropReason ? std::optional(DropReason{"XDP", *event->dropReason}) : std::nullopt;
    const auto report = lossReportOf(reporter.report(*event, reason));
    TCPSCOPE_INVARIANT(report.has_value());
    TCPSCOPE_INVARIANT(!report->match || report->match->droppedLength <= report->sequenceLength);
  }
  return 0;
}
