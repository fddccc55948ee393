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

bool FocusSampler::sample(const SocketAddress& socket) {
  const ExactRequester::Answer answer =
      m_requester.ask(socket, m_gaps, [this](std::span<const std::byte> payload, Moment takenAt) {
        SocketObservation& observation = m_batch.changed.emplace_back();
        const DiagContext context{m_settings.place, m_settings.accecnLayout, takenAt};
        if (decodeDiagMessage(payload, context, observation)) return;
        m_batch.changed.pop_back();
        m_gaps.add(GapKind::malformedMessage);
      });
  if (answer == ExactRequester::Answer::gone) m_batch.closed.push_back({socket.id, m_now(), std::nullopt});
  return answer != ExactRequester::Answer::gone;
}

std::optional<Moment> FocusSampler::gatheringSince() const {
  if (m_batch.changed.empty()) return std::nullopt;
  return m_batch.changed.front().takenAt;
}

void FocusSampler::deliver(const ObservationSink& sink) {
  ObservationBatch batch = std::exchange(m_batch, {});
  m_batch.changed.reserve(batch.changed.size());
  batch.place = m_settings.place;
  batch.rate = SampleRate::focus;
  batch.gaps = m_gaps.take(m_settings.place);
  if (batch.changed.empty() && batch.closed.empty() && batch.gaps.empty()) return;
  if (sink(std::move(batch))) return;
  m_gaps.add(GapKind::queueFull);
  // Refused, so untouched.
  for (const CollectionGap& gap : batch.gaps) m_gaps.add(gap.kind, gap.count);  // NOLINT(bugprone-use-after-move)
}

}  // namespace tcpscope
