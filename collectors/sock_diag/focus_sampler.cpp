#include "collectors/sock_diag/focus_sampler.h"

#include <utility>

#include "collectors/sock_diag/diag_decoder.h"

namespace tcpscope {

Expected<FocusSampler, NetlinkError> FocusSampler::open(const SockDiagAccess& access,
                                                        const SockDiagSettings& settings) {
  Expected<ExactRequester, NetlinkError> requester = ExactRequester::open(access);
  if (!requester) return Unexpected<NetlinkError>(requester.error());
  return FocusSampler(access, settings, std::move(*requester));
}

bool FocusSampler::sample(const SocketAddress& socket, const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = m_settings.place;
  batch.rate = SampleRate::focus;
  const ExactRequester::Answer answer =
      m_requester.ask(socket, m_gaps, [this, &batch](std::span<const std::byte> payload, Moment takenAt) {
        SocketObservation& observation = batch.changed.emplace_back();
        const DiagContext context{m_settings.place, m_settings.accecnLayout, takenAt};
        if (decodeDiagMessage(payload, context, observation)) return;
        batch.changed.pop_back();
        m_gaps.add(GapKind::malformedMessage);
      });
  if (answer == ExactRequester::Answer::none) return true;
  if (answer == ExactRequester::Answer::gone) batch.closed.push_back({socket.id, m_now(), std::nullopt});
  batch.gaps = m_gaps.take(m_settings.place);
  if (!sink(std::move(batch))) {
    m_gaps.add(GapKind::queueFull);
    // Refused, so untouched.
    for (const CollectionGap& gap : batch.gaps) m_gaps.add(gap.kind, gap.count);  // NOLINT(bugprone-use-after-move)
  }
  return answer != ExactRequester::Answer::gone;
}

}  // namespace tcpscope
