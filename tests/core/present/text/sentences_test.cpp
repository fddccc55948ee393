#include "core/present/text/diagnosis_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>

#include "core/present/text/report_text.h"
#include "core/session/capture/captured_packets.h"
#include "tests/core/diagnosis/situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::ObservationBuilder;
using test::Situation;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Verdict verdict(Limit limit, Cause cause, double goodput = 12e6) {
  Verdict verdict;
  verdict.limit = limit;
  verdict.cause = cause;
  verdict.goodput = BitsPerSecond(goodput);
  verdict.confidenceRatio = 1.0;
  return verdict;
}

/// Names of socket options may stand in a sentence; keys may not.
std::string withoutSocketOptions(const std::string& text) {
  static const std::regex option("\\b(SO|TCP)_[A-Z_]+");
  return std::regex_replace(text, option, "");
}

TEST(VerdictSentence, SaysWhatAndHowMuch) {
  Verdict held = verdict(Limit::receiver, Cause::unknown);
  held.next = NextLimit{BitsPerSecond(94e6), {}, {}, {}};
  EXPECT_EQ(sentence(held, Side::sending), "Limited by the receive window — 12.0 Mbit/s; next limit 94.0 Mbit/s.");
  held.next->method = NextLimitMethod::ackDispersion;
  EXPECT_EQ(sentence(held, Side::sending),
            "Limited by the receive window — 12.0 Mbit/s; the path carries about 94.0 Mbit/s.");
}

TEST(VerdictSentence, SaysThatItIsAGuessWhereItIsOne) {
  Verdict unsure = verdict(Limit::network, Cause::policer, 13e6);
  unsure.confidenceRatio = 0.75;
  EXPECT_THAT(sentence(unsure, Side::sending), StartsWith("Likely limited by the network (policer"));
}

TEST(VerdictSentence, OfTimeoutsBehindABlackHoleNamesThePathMtu) {
  Verdict stuck = verdict(Limit::timeout, Cause::mtu);
  stuck.goodput.reset();
  EXPECT_EQ(sentence(stuck, Side::sending), "Limited by the network (large packets do not pass: path MTU).");
  EXPECT_EQ(brief(stuck, Side::sending), "Network (path MTU)");
  stuck.cause = Cause::loss;
  EXPECT_EQ(sentence(stuck, Side::sending), "Limited by the network (losses force retransmission timeouts).");
  EXPECT_EQ(brief(stuck, Side::sending), "Network (RTO)");
}

TEST(VerdictSentence, KeepsBothUnitsWhereTheyDiffer) {
  Verdict held = verdict(Limit::application, Cause::slowWriter, 790e3);
  held.next = NextLimit{BitsPerSecond(3.28e6), {}, {}, {}};
  EXPECT_EQ(sentence(held, Side::sending),
            "Limited by the sending application (it provides no data) — 790 kbit/s; next limit 3.28 Mbit/s.");
}

TEST(VerdictSentence, OfACaptureTheSenderIsMeantWhicheverEndTookIt) {
  EXPECT_EQ(sentence(verdict(Limit::application, Cause::slowWriter), Side::receiving),
            "Limited by the sending application (it provides no data) — 12.0 Mbit/s.");
  EXPECT_EQ(brief(verdict(Limit::application, Cause::slowWriter), Side::receiving), "Application (no data)");
  EXPECT_EQ(sentence(verdict(Limit::application, Cause::slowReader), Side::receiving),
            "Limited by the receiving application (it reads slowly) — 12.0 Mbit/s.");
}

TEST(VerdictSentence, NamesCandidatesOfAnUnknownLimit) {
  Verdict open = verdict(Limit::unknown, Cause::unknown);
  open.candidates = {Limit::network, Limit::application, Limit::sendBuffer};
  EXPECT_EQ(sentence(open, Side::receiving),
            "Limit unknown at the receiver; candidates: network, application or send buffer — 12.0 Mbit/s.");
}

TEST(VerdictSentence, OfACaptureNothingIsOpenAtTheReceiverAlone) {
  ConnectionDetail detail;
  detail.diagnosis.bulk = Side::receiving;
  detail.diagnosis.verdict = verdict(Limit::unknown, Cause::unknown);
  EXPECT_EQ(verdictSentence(detail), "Limit unknown at the receiver — 12.0 Mbit/s.");
  auto packets = std::make_shared<CapturedPackets>();
  packets->live = 1;
  detail.packets = packets;
  EXPECT_EQ(verdictSentence(detail), "Limit unknown at the receiver — 12.0 Mbit/s.")
      << "the kernel's figures beside it";
  packets->live = 0;
  EXPECT_EQ(verdictSentence(detail), "Limit unknown — 12.0 Mbit/s.");
}

TEST(LimitStretchPhrase, SaysUntilWhenTheLimitHeld) {
  const Moment start = Moment::fromNanoseconds(5'000'000'000);
  LimitStretch stretch{start, start + std::chrono::milliseconds(2100), Limit::application, {}, false, {}};
  EXPECT_EQ(phrase(stretch, start), "application to 2.10 s");
  stretch.limit = Limit::network;
  EXPECT_EQ(phrase(stretch, start), "network to 2.10 s");
  stretch.pathWasFull = true;
  EXPECT_EQ(phrase(stretch, start), "bottleneck saturated to 2.10 s");
  stretch = {start, start + std::chrono::seconds(3), Limit::unknown, {Limit::network, Limit::sendBuffer}, false, {}};
  EXPECT_EQ(phrase(stretch, start), "network or send buffer to 3.00 s");
}

TEST(VerdictSentence, OfAnIdleConnectionHasNoRate) {
  EXPECT_EQ(sentence(verdict(Limit::idle, Cause::unknown, 0), Side::sending),
            "Idle: hardly any data moves in this direction.");
}

TEST(VerdictSentence, OfAConnectionThatSentNowAndThenSaysThatItDid) {
  Verdict now = verdict(Limit::idle, Cause::unknown, 0);
  now.goodput = BitsPerSecond(1e6);
  EXPECT_EQ(sentence(now, Side::sending), "Idle most of the time: there was seldom data to send.");
}

TEST(VerdictSentence, EveryLimitAndCauseEndsAsASentence) {
  for (const Limit limit : kLimits) {
    for (int cause = 0; cause <= static_cast<int>(Cause::unknown); ++cause) {
      for (const Side side : {Side::sending, Side::receiving}) {
        const std::string text = sentence(verdict(limit, static_cast<Cause>(cause)), side);
        EXPECT_GT(text.size(), 10U);
        EXPECT_EQ(text.back(), '.');
        EXPECT_THAT(withoutSocketOptions(text), Not(HasSubstr("_"))) << "no key in a sentence";
      }
    }
  }
}

TEST(BriefVerdict, FitsACell) {
  Verdict held = verdict(Limit::receiver, Cause::slowReader);
  held.next = NextLimit{BitsPerSecond(94e6), {}, {}, {}};
  EXPECT_EQ(brief(held, Side::sending), "Receive window (slow reader): 12.0 of 94.0 Mbit/s");
  EXPECT_EQ(brief(verdict(Limit::network, Cause::loss), Side::sending), "Network (loss)");
  EXPECT_EQ(brief(verdict(Limit::idle, Cause::unknown, 0), Side::sending), "Idle");
}

TEST(BriefVerdict, ShowsItsDoubt) {
  Verdict guess = verdict(Limit::network, Cause::loss);
  guess.confidenceRatio = 0.75;
  EXPECT_EQ(brief(guess, Side::sending), "Network (loss)?");
  guess.next = NextLimit{BitsPerSecond(94e6), {}, {}, {}};
  EXPECT_EQ(brief(guess, Side::sending), "Network (loss)? 12.0 of 94.0 Mbit/s");
}

TEST(BriefVerdict, OfEveryLimitAndCauseIsShort) {
  for (const Limit limit : kLimits) {
    for (int cause = 0; cause <= static_cast<int>(Cause::unknown); ++cause) {
      for (const Side side : {Side::sending, Side::receiving}) {
        const std::string text = brief(verdict(limit, static_cast<Cause>(cause)), side);
        EXPECT_GT(text.size(), 3U);
        EXPECT_LE(text.size(), 31U) << text;
        EXPECT_THAT(withoutSocketOptions(text), Not(HasSubstr("_"))) << text;
      }
    }
  }
}

TEST(Explanations, EveryLimitHasOne) {
  for (const Limit limit : kLimits) {
    EXPECT_GT(explanation(limit).size(), 20U) << name(limit);
    EXPECT_FALSE(shortName(limit).empty());
  }
}

TEST(EvidenceSentence, SaysTheFigureAndWhatItWasHeldAgainst) {
  EXPECT_EQ(sentence(Evidence{"rwnd_limited_ratio", 0.97, std::nullopt, {}}), "Receive-window limited time: 97.0 %");
  EXPECT_EQ(sentence(Evidence{"rtt_us", 157'000, 30'500.0, "min_rtt_us"}), "Mean RTT: 157 ms (minimum RTT: 30.5 ms)");
  EXPECT_EQ(sentence(Evidence{"snd_mss_bytes", 536, 1000.0, {}}), "Send MSS: 536 B (threshold: 1000 B)");
}

TEST(FindingSentence, HasItsNumbers) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(18'824).windowScales(0, 7); });
  Growth growth;
  growth.busy = growth.receiverLimited = milliseconds(100);
  growth.acked = 80'000;
  growth.segmentsOut = 55;
  situation.repeat(30, milliseconds(100), growth);
  const auto diagnosis = situation.diagnosis();
  ASSERT_FALSE(diagnosis.sending->findings.empty());
  EXPECT_EQ(sentence(diagnosis.sending->findings.front(), Side::sending),
            "The peer's receive window allows at most 18.4 KiB per RTT, and the RTT is 20.0 ms: this bounds the rate "
            "and limited it for 100 % of the time. The receiving application reads without delay, so a larger receive "
            "buffer at the peer would help, or the removal of a clamp on its window (TCP_WINDOW_CLAMP, or a route with "
            "window): which of them it is shows only there.");
}

TEST(FindingSentence, OfReorderingSaysOnlyWhatWasSeen) {
  Finding finding;
  finding.rule = RuleId::reordering;
  finding.evidence = {{"dsack_dups_segments", 7.0, 9.0, "retransmitted_segments"}};
  EXPECT_THAT(sentence(finding, Side::sending), StartsWith("7 of 9 retransmitted segments had not been lost. "));
  finding.evidence = {{"reord_seen", 1.0, std::nullopt, {}}};
  EXPECT_THAT(sentence(finding, Side::sending), StartsWith("Segments were reordered once. The sender takes"));
}

TEST(FindingSentence, OfASlowReaderDistinguishesZeroAndVaryingWindows) {
  Finding finding;
  finding.rule = RuleId::receivingApplicationTooSlow;
  finding.evidence = {{"peer_window_largest_bytes", 0.0, 0.0, "peer_window_smallest_bytes"}};
  EXPECT_THAT(sentence(finding, Side::sending), HasSubstr("receive window stayed at zero"));
  finding.evidence = {{"peer_window_largest_bytes", 65'536.0, 0.0, "peer_window_smallest_bytes"}};
  EXPECT_THAT(sentence(finding, Side::sending), HasSubstr("varied between 0 B and 64.0 KiB"));
}

TEST(FindingSentence, OfASlowReaderSaysThatItGetsNoProcessor) {
  Finding finding;
  finding.rule = RuleId::receivingApplicationTooSlow;
  finding.evidence = {{"receive_queue_largest_bytes", 65'536.0, std::nullopt, {}},
                      {"processor_wait_ratio", 0.6, 0.1, {}}};
  EXPECT_THAT(sentence(finding, Side::receiving), HasSubstr("got no processor for 60.0 % of the time"));
  finding.evidence.pop_back();
  EXPECT_THAT(sentence(finding, Side::receiving), HasSubstr("Check what it waits for"));
}

TEST(FindingSentence, LeavesOutAMissingFigure) {
  for (const RuleId rule : {RuleId::receiverWindowTooSmall, RuleId::windowScaleCapsWindow, RuleId::sendBufferTooSmall,
                            RuleId::receivingApplicationTooSlow, RuleId::receiveBufferTooSmall, RuleId::bufferLocked}) {
    Finding finding;
    finding.rule = rule;
    for (const Side side : {Side::sending, Side::receiving}) {
      EXPECT_THAT(sentence(finding, side), Not(HasSubstr("not known"))) << name(rule);
    }
  }
}

TEST(FindingSentence, OfTheWindowScaleHasTheWindowOfACapture) {
  Finding finding;
  finding.rule = RuleId::windowScaleCapsWindow;
  finding.evidence = {{"peer_window_largest_bytes", 65'535.0, 65'535.0, "window_ceiling_bytes"}};
  EXPECT_THAT(sentence(finding, Side::receiving),
              StartsWith("The receive window has reached 64.0 KiB, the maximum that"));
}

TEST(FindingSentence, OfTimeoutsCountsThem) {
  Finding finding;
  finding.rule = RuleId::timeouts;
  finding.evidence = {{"timeouts", 1.0, std::nullopt, {}}, {"timeout_ratio", 0.1, std::nullopt, {}}};
  EXPECT_THAT(sentence(finding, Side::sending), HasSubstr("waited for 1 retransmission timeout (RTO), 10.0 %"));
  finding.evidence.front().value = 2.0;
  EXPECT_THAT(sentence(finding, Side::sending), HasSubstr("waited for 2 retransmission timeouts (RTO),"));
}

TEST(BoundNote, SpeaksOfARateOnlyWhereThereIsOne) {
  for (const WhyNoBound why :
       {WhyNoBound::congestionControlUnknown, WhyNoBound::onlyDelivered, WhyNoBound::noLossSeen}) {
    Bound bound;
    bound.whyNot = why;
    bound.applies = false;
    EXPECT_FALSE(hasRate(bound));
    EXPECT_THAT(noteOf(bound), Not(HasSubstr("this ")));
    bound.rate = BitsPerSecond(1e6);
    EXPECT_TRUE(hasRate(bound));
    EXPECT_THAT(noteOf(bound), HasSubstr("this ")) << "the rate in the same row";
  }
}

TEST(FindingSentence, OfAClosedWindowDoesNotBlameThePath) {
  // Packets show no timer, and so no count of unanswered probes.
  const Finding closed{RuleId::stalled,
                       FindingSeverity::problem,
                       0.95,
                       {{"window_closed_s", 7.9, std::nullopt, {}}, {"peer_window_bytes", 0.0, std::nullopt, {}}}};
  const std::string text = sentence(closed, Side::sending);
  EXPECT_THAT(text, HasSubstr("receive window is closed"));
  EXPECT_THAT(text, HasSubstr("for 7.90 s"));
  EXPECT_THAT(text, Not(HasSubstr("interrupted")));
  EXPECT_THAT(text, Not(HasSubstr("not known")));
}

TEST(FindingSentence, OfASlowHandshakeSaysWhatWasNotAnsweredWhereTheCaptureShowsIt) {
  const auto of = [](double synAcks) {
    return Finding{RuleId::slowOpening,
                   FindingSeverity::warning,
                   0.9,
                   {{"connect_s", 1.1, std::nullopt, {}},
                    {"syns_sent", 2.0, std::nullopt, {}},
                    {"syn_acks_sent", synAcks, std::nullopt, {}}}};
  };
  EXPECT_THAT(sentence(of(1.0), Side::sending), HasSubstr("took 1.10 s: SYN sent 2 times, SYN-ACK once."));
  EXPECT_THAT(sentence(of(1.0), Side::sending), HasSubstr("lost on the path, or the accept queue of the peer"));
  EXPECT_THAT(sentence(of(2.0), Side::sending), HasSubstr("SYN-ACK or the acknowledgment of it was lost"));
  Finding atTheListener = of(1.0);
  atTheListener.evidence.push_back({"unanswered_syns", 1.0, std::nullopt, {}});
  EXPECT_THAT(sentence(atTheListener, Side::sending), HasSubstr("accept queue of its program was full"));
}

TEST(FindingSentence, OfAQueueOnTheReturnPathSaysHowMuchOfTheDelayItIs) {
  const Finding queue{RuleId::returnPathQueue,
                      FindingSeverity::warning,
                      0.9,
                      {{"rtt_us", 420e3, 20e3, "min_rtt_us"},
                       {"queue_delay_us", 400e3, std::nullopt, {}},
                       {"return_queue_us", 390e3, std::nullopt, {}}}};
  EXPECT_THAT(sentence(queue, Side::sending), HasSubstr("of the 400 ms between them acknowledgments wait 390 ms"));
}

TEST(FindingSentence, OfAStallSaysWhoDecidesWhenTheKernelGivesUp) {
  Finding stalled{RuleId::stalled,
                  FindingSeverity::problem,
                  0.9,
                  {{"consecutive_timeouts", 3.0, std::nullopt, {}},
                   {"next_try_s", 1.6, std::nullopt, {}},
                   {"gives_up_s", 18.8, std::nullopt, {}}}};
  EXPECT_THAT(sentence(stalled, Side::sending),
              HasSubstr("gives up in 18.8 s, unless the program set TCP_USER_TIMEOUT."));
  stalled.evidence.push_back({"idle_before_s", 1800.0, std::nullopt, {}});
  EXPECT_THAT(sentence(stalled, Side::sending),
              HasSubstr("Before that the connection was idle for 30 min 0 s: firewalls"));
  stalled.evidence.back() = {"user_timeout_s", 20.0, std::nullopt, {}};
  EXPECT_THAT(sentence(stalled, Side::sending), HasSubstr("gives up in 18.8 s (TCP_USER_TIMEOUT of 20.0 s)."));
  stalled.evidence.back().value = 0.0;
  EXPECT_THAT(sentence(stalled, Side::sending), HasSubstr("gives up in 18.8 s."));
}

TEST(FindingSentence, OfAClosedWindowSaysThatThePeerLivesOnlyWhereItAnswers) {
  Finding closed{RuleId::stalled,
                 FindingSeverity::problem,
                 0.75,
                 {{"window_closed_s", 9.0, std::nullopt, {}},
                  {"unanswered_window_probes", 0.0, std::nullopt, {}},
                  {"peer_window_bytes", 0.0, std::nullopt, {}}}};
  EXPECT_THAT(sentence(closed, Side::sending), HasSubstr("The peer itself is alive"));
  closed.evidence[1].value = 1.0;
  EXPECT_THAT(sentence(closed, Side::sending), HasSubstr("Zero-window probes without an answer since then: 1;"));
  EXPECT_THAT(sentence(closed, Side::sending), Not(HasSubstr("alive")));
}

TEST(FindingSentence, OfASwappedProgramHasAWholeNumber) {
  const Finding swapped{RuleId::receivingApplicationTooSlow,
                        FindingSeverity::problem,
                        0.9,
                        {{"major_faults_per_second", 1234.0, 100.0, {}}}};
  EXPECT_THAT(sentence(swapped, Side::receiving), HasSubstr("1234 pages a second"));
}

TEST(FindingSentence, OfEveryRuleSurvivesMissingEvidence) {
  for (int rule = 0; rule < static_cast<int>(RuleId::count); ++rule) {
    Finding finding;
    finding.rule = static_cast<RuleId>(rule);
    for (const Side side : {Side::sending, Side::receiving}) {
      EXPECT_EQ(sentence(finding, side).back(), '.') << name(finding.rule);
    }
    EXPECT_FALSE(title(finding.rule).empty());
  }
}

TEST(FindingSentence, DoesNotStateFromPacketsThatASendBufferWasFull) {
  const Finding ofCapture{
      RuleId::sendBufferTooSmall,
      FindingSeverity::problem,
      0.75,
      {{"send_buffer_ratio", 0.995, std::nullopt, {}}, {"refilled_ratio", 0.975, std::nullopt, {}}}};
  const std::string text = sentence(ofCapture, Side::sending);
  EXPECT_EQ(text.find("was full"), std::string::npos) << text;
  EXPECT_NE(text.find("97.5 %"), std::string::npos) << text;
}

}  // namespace
}  // namespace tcpscope
