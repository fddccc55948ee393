// Samples one socket by exact requests, also where nothing changed, and gathers the samples in a batch of rate `focus`.
//
// Answers are kept as they came and decoded when the batch is handed on: after a sleep of a millisecond all that a
// sample touches has to come from memory again, and the decoder does so once a batch. No thread and no clock of its
// own: FocusCollector drives it by slots, tests and the capability probe by hand.
#pragma once

#include <optional>
#include <vector>

#include "collectors/sock_diag/exact_requester.h"
#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class FocusSampler {
public:
  static Expected<FocusSampler, NetlinkError> open(const SockDiagAccess& access, const SockDiagSettings& settings);

  /// Gathers a sample of the socket, or its end. False when it is gone.
  bool sample(const SocketAddress& socket);
  /// When the last sample was asked for.
  [[nodiscard]] Moment askedAt() const { return m_requester.askedAt(); }
  /// The first sample that waits for deliver(); nothing where none does.
  [[nodiscard]] std::optional<Moment> gatheringSince() const;
  /// Hands on what was gathered, if anything, and what was missed.
  void deliver(const ObservationSink& sink);

  /// Nothing can be asked any more, the channel could not be opened again either.
  [[nodiscard]] bool isBroken() const { return m_requester.isBroken(); }
  /// To count what only the caller can see, such as a missed slot.
  [[nodiscard]] GapCounts& gaps() { return m_gaps; }

private:
  FocusSampler(const SockDiagAccess& access, const SockDiagSettings& settings, ExactRequester requester)
      : m_now(access.now), m_settings(settings), m_requester(std::move(requester)) {}

  std::vector<SocketObservation> decodeAnswers();

  std::function<Moment()> m_now;
  SockDiagSettings m_settings;
  ExactRequester m_requester;
  GapCounts m_gaps;
  /// Payloads of the answers, one after the other.
  std::vector<std::byte> m_payloads;
  struct Answer {
    Moment takenAt;
    std::size_t payloadBytes;
  };
  std::vector<Answer> m_answers;
  std::optional<ClosedSocket> m_closed;
};

}  // namespace tcpscope
