#include "collectors/trace/trace_values.h"

#include "core/text/escape.h"

namespace tcpscope {

SysctlValues sysctlValues(const HostFacts& facts) {
  SysctlValues values;
  for (const HostFact& fact : facts) values.set(forPlainText(fact.key), forPlainText(fact.value));
  return values;
}

std::optional<ObservationBatch> observationsOf(TraceValue&& value, PlaceId place) {
  if (auto* batch = std::get_if<ObservationBatch>(&value)) return std::move(*batch);
  const auto* facts = std::get_if<HostFacts>(&value);
  if (facts == nullptr) return std::nullopt;
  ObservationBatch batch;
  batch.place = place;
  batch.settings = std::make_shared<const SysctlValues>(sysctlValues(*facts));
  return batch;
}

}  // namespace tcpscope
