#include "collectors/trace/trace_values.h"

#include "core/base/escape.h"

namespace tcpscope {

SysctlValues sysctlValues(const HostFacts& facts) {
  SysctlValues values;
  for (const HostFact& fact : facts) values.set(forPlainText(fact.key), forPlainText(fact.value));
  return values;
}

HostFacts hostFacts(const SysctlValues& values) {
  HostFacts facts;
  for (const auto& [key, value] : values.all()) facts.push_back({UntrustedText(key), UntrustedText(value)});
  return facts;
}

std::optional<ObservationBatch> observationsOf(TraceValue&& value, PlaceId place) {
  if (auto* batch = std::get_if<ObservationBatch>(&value)) return std::move(*batch);
  ObservationBatch batch;
  batch.place = place;
  if (const auto* facts = std::get_if<HostFacts>(&value)) {
    batch.settings = std::make_shared<const SysctlValues>(sysctlValues(*facts));
    return batch;
  }
  if (auto* mark = std::get_if<ChangeMark>(&value)) {
    batch.changeMarks.push_back(std::move(*mark));
    return batch;
  }
  return std::nullopt;
}

}  // namespace tcpscope
