#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

/// More events than this since the boot are a warning even without new ones.
constexpr std::uint64_t kWorthAWarning = 10;

std::optional<std::uint64_t> sumOf(const Counters& counters, const CounterCheck& check) {
  std::optional<std::uint64_t> sum;
  for (const std::string_view name : check.counters) {
    const auto found = counters.find(name);
    if (found != counters.end()) sum = sum.value_or(0) + found->second;
  }
  return sum;
}

}  // namespace

CheckStatus statusOf(std::uint64_t during, std::uint64_t ever, CheckStatus whenGrowing) {
  if (during > 0) return whenGrowing;
  return ever > kWorthAWarning ? CheckStatus::warn : CheckStatus::pass;
}

CheckRow rowOf(const CounterCheck& check, const UntrustedText& object, const Counters& before, const Counters& after) {
  CheckRow row{check.id, check.layer, CheckStatus::unknown, object};
  const auto was = sumOf(before, check);
  const auto is = sumOf(after, check);
  // A counter that decreased was reset, with its device.
  if (was && is && *is < *was) row.reason = UnknownReason::counterReset;
  if (!was || !is || *is < *was) return row;
  row.during = *is - *was;
  row.ever = *is;
  row.status = statusOf(*row.during, *row.ever, check.whenGrowing);
  return row;
}

CheckRow unknown(CheckRow row, UnknownReason reason) {
  row.status = CheckStatus::unknown;
  row.reason = reason;
  return row;
}

}  // namespace tcpscope
