#include "core/present/text/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "core/base/escape.h"
#include "core/diagnosis/evidence/confidence.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

std::string yesOrNo(bool yes, std::string_view worth) {
  return fmt::format("{} – its use: {}", yes ? "yes" : "no", worth);
}

std::string scaleText(const std::optional<Count>& shift) {
  if (!shift) return "not reported";
  // RFC 7323, section 2.3.
  constexpr double kLargestUnscaled = 65535.0;
  return fmt::format(
      "{} (windows up to {})", shift->value(),
      formatBytes(kLargestUnscaled * static_cast<double>(1ULL << std::min<std::uint64_t>(shift->value(), 14))));
}

std::string fixedOrTuned(bool isFixed) {
  return isFixed ? "set by the application: not autotuned" : "autotuned";
}

}  // namespace

std::string formatWallTime(WallTime time) {
  using namespace std::chrono;
  constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                        "May",       "June",     "July",     "August",
                                                        "September", "October",  "November", "December"};
  const sys_time<nanoseconds> point{nanoseconds(time.nanoseconds())};
  const auto day = floor<days>(point);
  const year_month_day date(day);
  const hh_mm_ss<seconds> clock(floor<seconds>(point - day));
  return fmt::format("{} {} {}, {:02}:{:02}:{:02} UTC", static_cast<unsigned>(date.day()),
                     kMonths.at(static_cast<unsigned>(date.month()) - 1), static_cast<int>(date.year()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::string_view confidenceWord(double confidenceRatio) {
  constexpr double kVeryHigh = 0.95;
  constexpr double kLikely = 0.6;
  if (confidenceRatio >= kVeryHigh) return "very high confidence";
  if (confidenceRatio >= kConfident) return "high confidence";
  return confidenceRatio >= kLikely ? "moderate confidence: verify before acting" : "low confidence";
}

std::string confidenceSentence(double confidenceRatio) {
  return fmt::format("Confidence {:.0f} %: {}.", confidenceRatio * 100, confidenceWord(confidenceRatio));
}

std::string confidenceSentence(const Verdict& verdict) {
  return verdict.limit == Limit::unknown ? std::string() : confidenceSentence(verdict.confidenceRatio);
}

std::string confidenceFigure(const Verdict& verdict) {
  return verdict.limit == Limit::unknown ? std::string("–") : fmt::format("{:.0f} %", verdict.confidenceRatio * 100);
}

std::string verdictSentence(const ConnectionDetail& detail, const Verdict& verdict, Side side) {
  const bool isOfPackets = detail.packets != nullptr && detail.packets->live == 0;
  const bool isOpenAtBothEnds = verdict.limit == Limit::unknown && isOfPackets;
  return sentence(verdict, isOpenAtBothEnds ? Side::sending : side);
}

std::string verdictSentence(const ConnectionDetail& detail) {
  return verdictSentence(detail, detail.diagnosis.verdict, detail.diagnosis.bulk);
}

std::string sideText(const SideDiagnosis& side) {
  const std::string_view who = side.side == Side::sending ? "this host sends" : "the peer sends";
  return side.goodput ? fmt::format("{} {}", who, formatRate(*side.goodput)) : std::string(who);
}

std::string sharesText(const LimitShares& shares) {
  constexpr double kLeastShown = 0.0005;
  std::array<Limit, kLimitCount> order = kLimits;
  std::stable_sort(order.begin(), order.end(), [&](Limit a, Limit b) { return shares.span(a) > shares.span(b); });
  std::string text;
  for (const Limit limit : order) {
    if (shares.ratio(limit) < kLeastShown) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", shortName(limit), formatRatio(shares.ratio(limit)));
  }
  return text;
}

std::string leftOutText(std::size_t active, std::size_t idle) {
  if (active == 0 && idle == 0) return {};
  const auto counted = [](std::size_t count, std::string_view what) {
    return fmt::format("{} {} connection{}", count, what, count == 1 ? "" : "s");
  };
  if (active == 0) return counted(idle, "idle");
  std::string text = counted(active, "more");
  text += " that carried less";
  return idle == 0 ? text : text + " and " + counted(idle, "idle");
}

std::string sentence(const ChangeMark& mark) {
  const auto shown = [](const UntrustedText& value) {
    return value.empty() ? std::string("unknown") : forPlainText(value);
  };
  return fmt::format("{}: {} → {}", forPlainText(mark.key), shown(mark.before), shown(mark.after));
}

std::string sentence(const Place& place) {
  std::string text;
  if (!place.host.empty()) text += forPlainText(place.host);
  if (!place.kernel.empty()) text += fmt::format("{}Linux {}", text.empty() ? "" : ", ", forPlainText(place.kernel));
  if (place.recording.empty()) return text;
  return fmt::format("{}{}{} {}", text, text.empty() ? "" : ", ",
                     place.isCapture ? "from the capture" : "from the recording", forPlainText(place.recording));
}

std::string sentence(const Place& place, const std::vector<Place>& all) {
  const auto ofTheHost =
      std::ranges::count_if(all, [&place](const Place& other) { return sentence(other) == sentence(place); });
  std::string text = sentence(place);
  if (ofTheHost < 2 || place.namespaceLabel().empty()) return text;
  return fmt::format("{}, network namespace {}", text, forPlainText(UntrustedText(place.namespaceLabel())));
}

std::string_view title(HistoryEventKind kind) {
  switch (kind) {
    case HistoryEventKind::retransmission:
      return "Retransmitted segments";
    case HistoryEventKind::timeout:
      return "Retransmission timeouts";
    case HistoryEventKind::peerWindowClosed:
      return "Peer closed its receive window";
    case HistoryEventKind::ownWindowClosed:
      return "Local receive window closed";
    case HistoryEventKind::congestionWindowDrop:
      return "Congestion window reduced";
    case HistoryEventKind::recoveryStarted:
      return "Loss recovery started";
    case HistoryEventKind::stateChanged:
      return "State changed";
    case HistoryEventKind::congestionControlChanged:
      return "Congestion control changed";
    case HistoryEventKind::settingChanged:
      return "MSS, path MTU or pacing limit changed";
    case HistoryEventKind::opened:
      return "Connection opened";
    case HistoryEventKind::closed:
      return "Connection closed";
    case HistoryEventKind::gap:
      return "Missing samples";
    case HistoryEventKind::localDrop:
      return "Packets dropped on this host";
    case HistoryEventKind::hostSettingChanged:
      break;
  }
  return "Settings changed";
}

std::string_view titleOfPackets(HistoryEventKind kind) {
  if (kind == HistoryEventKind::timeout) return "Segments retransmitted after a timeout";
  if (kind == HistoryEventKind::retransmission) return "Segments retransmitted without a timeout";
  return title(kind);
}

std::string noReportFormSentence(std::string_view file) {
  return fmt::format("'{}' has no known file name extension; use .html, .pdf, .md or .json",
                     forTerminal(std::string(file)));
}

std::string sentence(const LogoError& error, std::string_view file) {
  const std::string name = forPlainText(file);
  switch (error.problem) {
    case LogoProblem::unreadable:
      if (error.errorNumber == ENOTSUP) return fmt::format("The logo {} is no regular file", name);
      return fmt::format("The logo {} cannot be read: {}", name, std::generic_category().message(error.errorNumber));
    case LogoProblem::tooLarge:
      return fmt::format("The logo {} has more than 1 MiB; scale it down", name);
    case LogoProblem::tooManyPixels:
      return fmt::format("The logo {} is wider or higher than 4096 pixels; scale it down", name);
    case LogoProblem::noPng:
      return fmt::format("The logo {} is no PNG image; convert it to PNG", name);
    case LogoProblem::damaged:
      break;
  }
  return fmt::format("The logo {} is damaged: its pixels cannot be decoded", name);
}

std::vector<NamedText> negotiatedTexts(const SocketObservation& socket) {
  std::vector<NamedText> texts;
  const TcpInfoSample& info = socket.info;
  const auto options = info.options();
  if (!options) return texts;
  texts.emplace_back("Selective acknowledgments (SACK)",
                     yesOrNo(options->sack(), "the receiver reports what arrived after a gap (RFC 2018)"));
  texts.emplace_back("Timestamps", yesOrNo(options->timestamps(),
                                           "better RTT samples, and protection against old duplicates (RFC 7323)"));
  texts.emplace_back("Window scaling",
                     yesOrNo(options->windowScale(), "without it, no window exceeds 64 KiB (RFC 7323)"));
  if (options->windowScale()) {
    texts.emplace_back("Send window scale (peer's receive window)", scaleText(info.sndWscale()));
    texts.emplace_back("Receive window scale", scaleText(info.rcvWscale()));
  }
  texts.emplace_back("Explicit congestion notification (ECN)",
                     yesOrNo(options->ecn(), "routers may mark packets instead of dropping them (RFC 3168)"));
  if (const auto segment = info.sndMss()) {
    texts.emplace_back("Send MSS", formatBytes(static_cast<double>(segment->value())));
  }
  if (!socket.congestionControl.empty()) {
    texts.emplace_back("Congestion control", forPlainText(socket.congestionControl.text()));
  }
  if (socket.bufferLocks) {
    texts.emplace_back("Send buffer", fixedOrTuned(socket.bufferLocks->sendBuffer));
    texts.emplace_back("Receive buffer", fixedOrTuned(socket.bufferLocks->receiveBuffer));
  }
  return texts;
}

}  // namespace tcpscope
