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
        m_payloads.insert(m_payloads.end(), payload.begin(), payload.end());
        m_answers.push_back({takenAt, payload.size()});
      });
  if (answer == ExactRequester::Answer::gone) m_closed = {socket.id, m_now(), std::nullopt};
  return answer != ExactRequester::Answer::gone;
}

std::optional<Moment> FocusSampler::gatheringSince() const {
  if (m_answers.empty()) return std::nullopt;
  return m_answers.front().takenAt;
}

std::vector<SocketObservation> FocusSampler::decodeAnswers() {
  std::vector<SocketObservation> observations;
  observations.reserve(m_answers.size());
  std::span<const std::byte> left = m_payloads;
  for (const Answer& answer : m_answers) {
    SocketObservation& observation = observations.emplace_back();
    const DiagContext context{m_settings.place, m_settings.accecnLayout, answer.takenAt};
    if (!decodeDiagMessage(left.first(answer.payloadBytes), context, observation)) {
      observations.pop_back();
      m_gaps.add(GapKind::malformedMessage);
    }
    left = left.subspan(answer.payloadBytes);
  }
  m_answers.clear();
  m_payloads.clear();
  return observations;
}

void FocusSampler::deliver(const ObservationSink& sink) {
  ObservationBatch batch;
  batch.changed = decodeAnswers();
  if (m_closed) batch.closed.push_back(*std::exchange(m_closed, std::nullopt));
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
