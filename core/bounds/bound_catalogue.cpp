#include "core/bounds/bound_catalogue.h"

#include <array>

#include "core/bounds/mathis.h"
#include "core/bounds/window_bound.h"

namespace tcpscope {

namespace {

struct BoundRow {
  BoundModel model;
  /// The other end's congestion window, send buffer and losses are not seen from a receiver.
  bool knownToReceiver;
  Bound (*compute)(const DiagnosisInput& input, const Verdict& verdict);
};

/// Turns a bound that needs no verdict into a row's function.
template <Bound (*kBound)(const DiagnosisInput&)>
Bound withoutVerdict(const DiagnosisInput& input, const Verdict& /*verdict*/) {
  return kBound(input);
}

constexpr std::array<BoundRow, 6> kRows = {{
    {BoundModel::receiverWindow, true, withoutVerdict<receiverWindowBound>},
    {BoundModel::congestionWindow, false, withoutVerdict<congestionWindowBound>},
    {BoundModel::sendBuffer, false, withoutVerdict<sendBufferBound>},
    {BoundModel::windowScale, true, withoutVerdict<windowScaleBound>},
    {BoundModel::pacing, false, withoutVerdict<pacingBound>},
    {BoundModel::mathis, false, mathisBound},
}};

}  // namespace

std::vector<Bound> boundsOf(const DiagnosisInput& input, const Verdict& verdict) {
  std::vector<Bound> bounds;
  bounds.reserve(kRows.size());
  for (const BoundRow& row : kRows) {
    if (input.side == Side::sending || row.knownToReceiver) bounds.push_back(row.compute(input, verdict));
  }
  return bounds;
}

}  // namespace tcpscope
