#include "core/diagnosis/evidence/application_window.h"

#include <cmath>

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

/// The answers are small beside the data, and come at least every other RTT.
bool isAnsweredAllAlong(const ConnectionEvidence& evidence, double rttUs) {
  constexpr double kEveryOtherRtt = 0.5;
  constexpr double kSmallBesideData = 0.2;
  if (!evidence.bytes || !evidence.oppositeBytes || !evidence.oppositeSegments) return false;
  const double rtts = toSeconds(evidence.span()) * 1e6 / rttUs;
  return static_cast<double>(*evidence.oppositeSegments) >= kEveryOtherRtt * rtts &&
         static_cast<double>(*evidence.oppositeBytes) <= kSmallBesideData * static_cast<double>(*evidence.bytes);
}

/// What is in flight stays the same although the RTT changes: of a source of constant rate it would follow the RTT.
bool flightIgnoresRtt(const ConnectionEvidence& evidence) {
  constexpr double kRttVaries = 1.3;
  constexpr double kFlightStays = 0.85;
  return *evidence.rttUs.largest() >= kRttVaries * *evidence.rttUs.smallest() &&
         *evidence.inFlightBytes.smallest() >= kFlightStays * *evidence.inFlightBytes.largest();
}

/// The sender continues at acknowledgments that carry data, and at no others: its application waits for messages.
bool continuesAtMessagesAlone(const WaitEvidence& waits) {
  constexpr std::uint32_t kEnough = 30;
  constexpr double kNearlyAlways = 0.8;
  constexpr double kFewWithData = 0.4;
  return waits.prompts >= kEnough && waits.promptsByData >= kNearlyAlways * *waits.prompts &&
         waits.acknowledgmentsWithDataRatio <= kFewWithData;
}

/// OpenSSH's channel window is 2 MiB, less what the receiver has not yet answered (ssh: CHAN_SES_WINDOW_DEFAULT).
bool isWindowOfSsh(const ConnectionEvidence& evidence, double inFlightBytes) {
  constexpr std::uint16_t kSsh = 22;
  constexpr double kWindowBytes = 2.0 * 1024.0 * 1024.0;
  constexpr double kTolerated = 0.15;
  return evidence.servicePort == kSsh && std::abs(inFlightBytes - kWindowBytes) <= kTolerated * kWindowBytes;
}

}  // namespace

std::optional<ApplicationWindow> applicationWindow(const ConnectionEvidence& sending) {
  // Less than that is a request, not a window.
  constexpr double kSmallest = 16.0 * 1024.0;
  constexpr double kSteady = 0.8;
  constexpr std::uint32_t kFewSamples = 4;
  const auto mean = sending.inFlightBytes.mean();
  const auto largest = sending.inFlightBytes.largest();
  const auto trip = rtt(sending);
  if (!sending.carriesBulk || !mean || !largest || !trip || sending.inFlightBytes.count() < kFewSamples) {
    return std::nullopt;
  }
  if (*largest < kSmallest || *mean < kSteady * *largest) return std::nullopt;
  if (!isAnsweredAllAlong(sending, trip->meanUs)) return std::nullopt;
  constexpr double kSure = 1.0;
  constexpr double kInDoubt = 0.75;
  // On the wire a send buffer keeps the flight as steady.
  const bool isSure = sending.waits ? continuesAtMessagesAlone(*sending.waits)
                                    : flightIgnoresRtt(sending) || isWindowOfSsh(sending, *largest);
  return ApplicationWindow{Bytes(static_cast<std::uint64_t>(*largest)), isSure ? kSure : kInDoubt};
}

}  // namespace tcpscope
