#include "core/diagnosis/bounds/bound_catalogue.h"

#include <array>

#include "core/diagnosis/bounds/bbr.h"
#include "core/diagnosis/bounds/cubic.h"
#include "core/diagnosis/bounds/highspeed.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/bounds/pftk.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

namespace {

struct BoundRow {
  BoundModel model;
  /// The other end's congestion window, send buffer and losses are not seen from a receiver.
  bool knownToReceiver;
  Bound (*compute)(const ConnectionEvidence& evidence, const Verdict& verdict);
};

/// Turns a bound that needs no verdict into a row's function.
template <Bound (*kBound)(const ConnectionEvidence&)>
Bound withoutVerdict(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  return kBound(evidence);
}

constexpr std::array<BoundRow, 10> kRows = {{
    {BoundModel::receiverWindow, true, withoutVerdict<receiverWindowBound>},
    {BoundModel::congestionWindow, false, withoutVerdict<congestionWindowBound>},
    {BoundModel::sendBuffer, false, withoutVerdict<sendBufferBound>},
    {BoundModel::windowScale, true, withoutVerdict<windowScaleBound>},
    {BoundModel::pacing, false, withoutVerdict<pacingBound>},
    {BoundModel::mathis, false, mathisBound},
    {BoundModel::pftk, false, pftkBound},
    {BoundModel::cubic, false, cubicBound},
    {BoundModel::highspeed, false, highspeedBound},
    {BoundModel::bbr, false, withoutVerdict<bbrBound>},
}};

/// Each congestion control has its model. Mathis's is Reno's, and gives the reason for those that have none.
bool speaksOf(BoundModel model, std::string_view control) {
  switch (model) {
    case BoundModel::mathis:
      return control != "cubic" && !growsAsHighSpeed(control);
    case BoundModel::pftk:
      return control == "reno";
    case BoundModel::cubic:
      return control == "cubic";
    case BoundModel::highspeed:
      return growsAsHighSpeed(control);
    case BoundModel::bbr:
      return control.starts_with("bbr");
    default:
      return true;
  }
}

}  // namespace

std::vector<Bound> boundsOf(const ConnectionEvidence& evidence, const Verdict& verdict) {
  std::vector<Bound> bounds;
  // Where nothing moves there is no rate to bound.
  if (!hasShare(verdict.limit)) return bounds;
  bounds.reserve(kRows.size());
  const std::string_view control = evidence.congestionControlName();
  for (const BoundRow& row : kRows) {
    if (!speaksOf(row.model, control)) continue;
    if (evidence.side == Side::sending || row.knownToReceiver) bounds.push_back(row.compute(evidence, verdict));
  }
  return bounds;
}

}  // namespace tcpscope
