// Samples one socket by exact requests, also where nothing changed, and gathers the samples in a batch of rate `focus`.
//
// No thread and no clock of its own: FocusCollector drives it by slots, tests and the capability probe by hand.
#pragma once

#include "collectors/sock_diag/exact_requester.h"
#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class FocusSampler {
public:
  static Expected<FocusSampler, NetlinkError> open(const SockDiagAccess& access, const SockDiagSettings& settings);

  /// Gathers a sample of the socket, or its end. False when it is gone.
  bool sample(const SocketAddress& socket);
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

  std::function<Moment()> m_now;
  SockDiagSettings m_settings;
  ExactRequester m_requester;
  GapCounts m_gaps;
  ObservationBatch m_batch;
};

}  // namespace tcpscope
