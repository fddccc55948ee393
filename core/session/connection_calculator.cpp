#include "core/session/connection_calculator.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/kernel_evidence.h"
#include "core/diagnosis/evidence/packet_evidence.h"
#include "core/model/segment_size.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

/// Above zero: what is zero limits everything, and no equation holds.
std::optional<Bytes> positive(const std::optional<Bytes>& bytes) {
  return bytes && bytes->value() > 0 ? bytes : std::nullopt;
}

/// The smaller one.
std::optional<double> windowOf(const ConnectionEvidence& evidence) {
  std::optional<double> window;
  if (const auto receive = positive(evidence.receiveWindow)) window = static_cast<double>(receive->value());
  const auto& segments = evidence.congestionWindow;
  if (evidence.side != Side::sending || !segments || segments->value() == 0 || !evidence.mss) return window;
  const double congestion = static_cast<double>(segments->value() * evidence.mss->value());
  return window ? std::min(*window, congestion) : congestion;
}

void takeEvidence(const ConnectionEvidence& evidence, StatedFigures& figures) {
  figures.rttSeconds = boundRttSeconds(evidence);
  figures.mss = positive(evidence.mss);
  figures.mtu = positive(evidence.pathMtu);
  figures.windowBytes = windowOf(evidence);
}

StatedFigures ofSamples(const ConnectionDetail& detail, Side side) {
  const ConnectionEvidence evidence = kernelEvidence(detail.socket, detail.window, side);
  StatedFigures figures;
  takeEvidence(evidence, figures);
  const auto& events = evidence.estimatedLossEvents;
  const std::uint64_t segments = evidence.dataSegments.value_or(0);
  figures.hasNoLoss = side == Side::sending && segments > 0 && events && *events == 0.0;
  if (side == Side::sending && events && *events > 0.0 && segments > 0) {
    figures.lossEventRatio = std::min(1.0, *events / static_cast<double>(segments));
  }
  return figures;
}

StatedFigures ofPackets(const ConnectionDetail& detail, Side side) {
  const std::size_t direction = side == Side::sending ? 0 : 1;
  const ConnectionAnalysis& analysis = detail.packets->analysis;
  ConnectionEvidence evidence = handshakeEvidence(analysis.flow, direction);
  evidence.side = side;
  StatedFigures figures;
  takeEvidence(evidence, figures);
  const auto rtt = pathRtt(analysis.flow, direction);
  figures.rttSeconds = rtt ? std::optional(toSeconds(*rtt)) : std::nullopt;
  if (const auto last = detail.history.lastTime()) {
    const auto window = detail.history.valueAt(side == Side::sending ? Metric::sndWnd : Metric::rcvWnd, *last);
    if (window && *window > 0.0) figures.windowBytes = *window;
  }
  const auto& ratio = analysis.directions[direction].loss.eventRatio;
  if (ratio && ratio->ratio > 0.0) figures.lossEventRatio = ratio->ratio;
  figures.hasNoLoss = ratio && ratio->ratio == 0.0;
  return figures;
}

}  // namespace

StatedFigures figuresOf(const ConnectionDetail& detail, Side side) {
  // A live connection whose packets are captured has its samples, too, and they say more.
  const bool isSampled = !detail.socket.info.empty() || detail.packets == nullptr;
  StatedFigures figures = isSampled ? ofSamples(detail, side) : ofPackets(detail, side);
  if (figures.rttSeconds && *figures.rttSeconds <= 0.0) figures.rttSeconds.reset();
  const auto& judged = side == Side::sending ? detail.diagnosis.sending : detail.diagnosis.receiving;
  if (judged && judged->goodput && judged->goodput->value() >= 1.0) figures.rate = judged->goodput;
  figures.otherMtu = kJumboMtu;
  return figures;
}

}  // namespace tcpscope
