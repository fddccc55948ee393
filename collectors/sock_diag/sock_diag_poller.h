// Looks at every TCP socket of one network namespace: single steps, no thread, no waiting for a schedule.
// SockDiagCollector drives it by the clock, tests and benchmarks drive it by hand.
//
// A dump hands on only what changed (diag_digest.h). A socket that a dump does not show is asked for exactly before it
// is called closed, since a dump may miss sockets while others come and go.
#pragma once

#include <array>
#include <functional>

#include "collectors/sock_diag/batch_assembler.h"
#include "collectors/sock_diag/diag_conversation.h"
#include "collectors/sock_diag/diag_decoder.h"
#include "collectors/sock_diag/diag_digest.h"
#include "collectors/sock_diag/exact_requester.h"
#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/sock_diag/socket_table.h"

namespace tcpscope {

class SockDiagPoller {
public:
  enum class Step : std::uint8_t { more, finished };

  /// Which of the known sockets are asked for.
  struct KnownPoll {
    /// These at first; null for all.
    std::function<bool(std::uint64_t cookie)> isFirst;
    /// Asked then, once the sink has what has changed: the others, at least one, are as they were and are reported so.
    std::function<bool(std::size_t others)> areOthersUnchanged;
  };

  /// Fails where no diagnosis socket can be opened; goes without destroy notifications where those are refused.
  static Expected<std::unique_ptr<SockDiagPoller>, NetlinkError> open(SockDiagAccess access,
                                                                      const SockDiagSettings& settings);

  /// From the next dump on; null for everything. What the kernel cannot decide comes all the same (filter_bytecode.h).
  /// Of the destroyed sockets that no dump showed, those come whose addresses the filter does not rule out.
  void setFilter(std::uint32_t stateMask, FilterPointer filter);

  void beginDump();
  /// One receive, or a few exact requests: at most about 0.2 ms. `finished` also when the dump had to be given up.
  Step step(const ObservationSink& sink);
  /// A whole dump.
  void pollOnce(const ObservationSink& sink);
  /// Instead of a dump, where the caller knows that no socket has come: asks for each that is known. Where a dump has
  /// to pass many sockets of other namespaces it costs less, though twice as much for each socket. False where one was
  /// not found. A dump then shows whether it has gone: of several listeners on one port (SO_REUSEPORT) a request finds
  /// any one.
  [[nodiscard]] bool pollKnown(const ObservationSink& sink, const KnownPoll& how = {});
  /// Instead of a dump, where the caller knows that no socket has changed: reports a dump that found all of them
  /// unchanged.
  void reportUnchanged(const ObservationSink& sink);

  /// Everything that waits, up to a bound; false when more waits.
  bool takeDestroyed(const ObservationSink& sink);

  /// Readable when a socket was destroyed; -1 without such notifications.
  [[nodiscard]] int destroyDescriptor() const;
  /// Nothing can be asked any more, the channel could not be opened again either.
  [[nodiscard]] bool isBroken() const { return m_phase == Phase::broken; }
  [[nodiscard]] bool wasInterrupted() const { return m_interrupted; }
  [[nodiscard]] const SocketTable& table() const { return m_table; }

private:
  enum class Phase : std::uint8_t { idle, dumping, checking, broken };
  using SocketBlock = std::array<SocketAddress, DiagRequest::kMostQuestions>;

  SockDiagPoller(SockDiagAccess access, const SockDiagSettings& settings, NetlinkChannelPointer requests,
                 ExactRequester exact);
  void stepDump(const ObservationSink& sink);
  void beginChecks();
  void stepCheck(const ObservationSink& sink);
  void endDump(const ObservationSink& sink);
  void giveUpDump();
  void seeMessage(std::span<const std::byte> payload, Moment takenAt, const ObservationSink& sink);
  void takeChanged(std::span<const std::byte> payload, Moment takenAt, const SocketTable::Sighting& sighting,
                   std::uint64_t cookie);
  void seeDestroyed(std::span<const std::byte> datagram, Moment at);
  [[nodiscard]] bool mayBeWanted(const SocketObservation& destroyed) const;
  /// The next of those that this dump did not show, as many as go into one request.
  std::span<const SocketAddress> takeMissing(SocketBlock& block);
  ExactRequester::Answers askFor(std::span<const SocketAddress> sockets, const ObservationSink& sink);
  /// Of the known sockets that were not seen in this poll, those that are meant; null for all. False where one was not
  /// found.
  bool askForMissing(const std::function<bool(std::uint64_t cookie)>& isMeant, const ObservationSink& sink);
  void seeOthersUnchanged();
  void closeGone(std::span<const SocketAddress> sockets, const ExactRequester::Answers& answers,
                 const ObservationSink& sink);
  [[nodiscard]] DiagContext context(Moment takenAt) const;

  SockDiagAccess m_access;
  SockDiagSettings m_settings;
  std::unique_ptr<DiagConversation> m_requests;
  ExactRequester m_exact;
  NetlinkChannelPointer m_destroyed;
  AttributeLayout m_layout;
  SocketTable m_table;
  BatchAssembler m_batch;
  GapCounts m_gaps;
  FilterPointer m_filter;
  std::vector<std::byte> m_bytecode;
  std::vector<std::byte> m_eventBuffer;
  std::uint32_t m_stateMask = kEveryState;
  Phase m_phase = Phase::idle;
  bool m_interrupted = false;
  SocketTable::Slot m_checkFrom = 0;
  std::size_t m_checksLeft = 0;
};

}  // namespace tcpscope
