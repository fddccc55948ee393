#include "core/diagnosis/waiting_verdict.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/cause_finder.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/kernel_evidence.h"
#include "core/diagnosis/evidence/retry_schedule.h"

namespace tcpscope {

namespace {

bool opens(TcpState state) {
  return state == TcpState::synSent || state == TcpState::synReceived || state == TcpState::newSynReceived;
}

bool isOpen(TcpState state) {
  switch (state) {
    case TcpState::established:
    case TcpState::closeWait:
    case TcpState::finWait1:
    case TcpState::lastAck:
    case TcpState::closing:
    // Packets show data, and no state.
    case TcpState::unknown:
      return true;
    default:
      return false;
  }
}

std::uint64_t attemptsOf(const ConnectionEvidence& evidence, TimerKind kind) {
  return evidence.timer && evidence.timer->kind == kind ? evidence.timer->attempts.value() : 0;
}

/// The SYN, or of the passive end the SYN-ACK, waits for an answer. A first timeout may be a packet that was lost.
CauseFound causeOfOpening(const ConnectionEvidence& evidence) {
  constexpr double kOneMayBeLost = 0.85;
  if (evidence.peerRefused == true) return {Cause::refused, 1.0};
  const std::uint64_t tries =
      std::max(attemptsOf(evidence, TimerKind::retransmission), evidence.unansweredTries.value_or(Count(0)).value());
  if (tries == 0) return {Cause::unknown, 1.0};
  return {Cause::noResponse, tries == 1 ? kOneMayBeLost : 1.0};
}

/// Share of the segments before the present tries that were retransmitted. The kernel counts SYNs with its
/// retransmissions; of packets they are the opening's.
double lossBefore(const ConnectionEvidence& evidence, double tries) {
  double sent = 0.0;
  double retransmitted = 0.0;
  if (evidence.totalDataSegments && evidence.totalRetransmissions) {
    sent = static_cast<double>(evidence.totalDataSegments->value());
    retransmitted = static_cast<double>(evidence.totalRetransmissions->value());
  } else if (evidence.dataSegments && evidence.retransmittedSegments) {
    const double syns = evidence.opening ? static_cast<double>(evidence.opening->syns.value()) : 0.0;
    sent = static_cast<double>(*evidence.dataSegments) + syns;
    retransmitted = static_cast<double>(*evidence.retransmittedSegments) + std::max(syns - 1.0, 0.0);
  }
  return sent > tries ? std::clamp((retransmitted - tries) / (sent - tries), 0.0, 1.0) : 0.0;
}

/// Retransmissions and the time without an acknowledgment, of which either alone happens to a path that works; and more
/// of them than a path with its earlier losses takes by chance.
bool retransmitsInVain(const ConnectionEvidence& evidence) {
  constexpr Count kTries{3};
  constexpr Microseconds kSilence = std::chrono::seconds(2);
  if (!(evidence.unansweredTries >= kTries) || !(evidence.sinceLastAck >= kSilence)) return false;
  constexpr double kHardlyByChance = 0.001;
  const auto tries = static_cast<double>(evidence.unansweredTries->value());
  return std::pow(lossBefore(evidence, tries), tries) < kHardlyByChance;
}

bool keepAlivesAreUnanswered(const ConnectionEvidence& evidence) {
  constexpr std::uint64_t kTries = 2;
  return attemptsOf(evidence, TimerKind::keepAlive) >= kTries || evidence.unansweredKeepAlives >= Count(kTries);
}

/// In a row; a peer that lives answers each.
std::uint64_t unansweredProbes(const ConnectionEvidence& evidence) {
  return std::max(attemptsOf(evidence, TimerKind::windowProbe),
                  evidence.unansweredWindowProbes.value_or(Count(0)).value());
}

/// That nothing answers the probes of a closed window, where there are several; two may be lost by chance.
std::optional<double> confidenceInUnansweredProbes(const ConnectionEvidence& evidence) {
  constexpr std::uint64_t kBeyondDoubt = 3;
  constexpr Microseconds kSilence = std::chrono::seconds(2);
  constexpr double kHardlyByChance = 0.001;
  const std::uint64_t probes = unansweredProbes(evidence);
  if (probes < kBeyondDoubt - 1 || !(evidence.sinceLastAck >= kSilence)) return std::nullopt;
  if (probes >= kBeyondDoubt) return 1.0;
  const double loss = lossBefore(evidence, 0.0);
  return loss * loss < kHardlyByChance ? std::optional(0.9) : std::nullopt;
}

/// The peer's application does not read at all, and has not for most of the time.
bool windowStaysClosed(const ConnectionEvidence& evidence) {
  constexpr Microseconds kLong = std::chrono::seconds(3);
  constexpr double kMostOfTheTime = 0.8;
  return evidence.windowClosedFor >= kLong &&
         toSeconds(*evidence.windowClosedFor) >= kMostOfTheTime * toSeconds(evidence.span());
}

/// What does not arrive are the large packets alone: that has a name and a remedy of its own.
std::optional<CauseFound> blackHole(const ConnectionEvidence& evidence) {
  if (!isOpen(evidence.state) || !retransmitsInVain(evidence)) return std::nullopt;
  const auto confidence = confidenceInBlackHole(evidence);
  // Where not even small packets passed, the path may as well be down; of that packets alone name no cause.
  if (!confidence || (evidence.waits && *confidence < kConfident)) return std::nullopt;
  return CauseFound{Cause::mtu, *confidence};
}

std::optional<CauseFound> causeOfStall(const ConnectionEvidence& evidence) {
  if (!isOpen(evidence.state)) return std::nullopt;
  if (const auto confidence = confidenceInUnansweredProbes(evidence)) return CauseFound{Cause::noResponse, *confidence};
  if (retransmitsInVain(evidence)) {
    constexpr Count kBeyondDoubt{5};
    return CauseFound{Cause::noResponse, evidence.unansweredTries >= kBeyondDoubt ? 1.0 : 0.9};
  }
  if (keepAlivesAreUnanswered(evidence)) return CauseFound{Cause::noResponse, 0.95};
  // The path may have broken since.
  constexpr double kProbeIsUnanswered = 0.75;
  if (windowStaysClosed(evidence)) {
    return CauseFound{Cause::slowReader, unansweredProbes(evidence) > 0 ? kProbeIsUnanswered : 0.95};
  }
  return std::nullopt;
}

void addSeconds(std::vector<Evidence>& list, std::string_view key, const std::optional<Nanoseconds>& time) {
  if (time) list.push_back({key, toSeconds(*time), std::nullopt, {}});
}

std::string_view triesKey(TimerKind kind) {
  switch (kind) {
    case TimerKind::keepAlive:
      return "unanswered_keep_alives";
    case TimerKind::windowProbe:
      return "unanswered_window_probes";
    default:
      return "consecutive_timeouts";
  }
}

std::vector<Evidence> waitingEvidence(const ConnectionEvidence& evidence) {
  std::vector<Evidence> list;
  if (opens(evidence.state)) {
    addSeconds(list, "opening_s", silenceOfPeer(evidence));
  } else if (evidence.windowClosedFor && !confidenceInUnansweredProbes(evidence)) {
    // A peer that lives answers the probes of its closed window.
    addSeconds(list, "window_closed_s", Nanoseconds(*evidence.windowClosedFor));
  } else {
    addSeconds(list, "unacknowledged_s", silenceOfPeer(evidence));
  }
  if (evidence.timer && evidence.timer->kind != TimerKind::timeWait) {
    list.push_back(
        {triesKey(evidence.timer->kind), static_cast<double>(evidence.timer->attempts.value()), std::nullopt, {}});
    addSeconds(list, "next_try_s", Nanoseconds(evidence.timer->expiresIn));
  } else if (evidence.unansweredTries > Count(0)) {
    list.push_back({"consecutive_timeouts", static_cast<double>(evidence.unansweredTries->value()), std::nullopt, {}});
  } else if (evidence.unansweredWindowProbes > Count(0)) {
    list.push_back(
        {"unanswered_window_probes", static_cast<double>(evidence.unansweredWindowProbes->value()), std::nullopt, {}});
  } else if (evidence.unansweredKeepAlives > Count(0)) {
    list.push_back(
        {"unanswered_keep_alives", static_cast<double>(evidence.unansweredKeepAlives->value()), std::nullopt, {}});
  }
  if (const auto givesUp = untilGivenUp(evidence)) {
    addSeconds(list, "gives_up_s", givesUp);
    addSeconds(list, "user_timeout_s", evidence.userTimeout);
  }
  // A SYN counts as a byte of it.
  if (evidence.sendQueue > Bytes(0) && !opens(evidence.state)) {
    list.push_back({"outstanding_bytes", static_cast<double>(evidence.sendQueue->value()), std::nullopt, {}});
  }
  return list;
}

Verdict verdictOf(Limit limit, const CauseFound& found, const ConnectionEvidence& evidence, WithEvidence with) {
  Verdict verdict;
  verdict.limit = limit;
  verdict.cause = found.cause;
  verdict.confidenceRatio = found.confidence;
  if (with != WithEvidence::yes) return verdict;
  verdict.evidence = waitingEvidence(evidence);
  if (found.cause == Cause::mtu && evidence.mss) {
    verdict.evidence.push_back({"snd_mss_bytes", static_cast<double>(evidence.mss->value()), std::nullopt, {}});
  }
  return verdict;
}

/// Is such a verdict possible? Of most sockets the state and a few figures rule it out.
bool mayWait(const SocketObservation& socket) {
  if (opens(socket.state)) return true;
  if (!isOpen(socket.state)) return false;
  return socket.info.retransmits() > Count(0) || (socket.timer && socket.timer->attempts > Count(0)) ||
         socket.info.sndWnd() == Bytes(0);
}

}  // namespace

std::optional<Verdict> waitingVerdict(const ConnectionEvidence& sending, WithEvidence with) {
  if (opens(sending.state)) return verdictOf(Limit::opening, causeOfOpening(sending), sending, with);
  if (const auto hole = blackHole(sending)) return verdictOf(Limit::timeout, *hole, sending, with);
  const auto stall = causeOfStall(sending);
  return stall ? std::optional(verdictOf(Limit::stalled, *stall, sending, with)) : std::nullopt;
}

std::optional<Verdict> waitingVerdict(const SocketObservation& socket, const WindowStatistics& window) {
  if (!mayWait(socket)) return std::nullopt;
  return waitingVerdict(kernelEvidence(socket, window, Side::sending), WithEvidence::no);
}

std::optional<Nanoseconds> silenceOfPeer(const ConnectionEvidence& sending) {
  const auto tried = sinceFirstTry(sending);
  if (!sending.sinceLastAck) return tried;
  // An idle time before the tries is no silence: nothing was to be acknowledged.
  return tried ? std::min<Nanoseconds>(*tried, *sending.sinceLastAck) : Nanoseconds(*sending.sinceLastAck);
}

}  // namespace tcpscope
