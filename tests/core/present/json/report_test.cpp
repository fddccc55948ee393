#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/escape.h"
#include "core/host/sysctl_values.h"
#include "core/present/html/html_report.h"
#include "core/present/html/pair_page.h"
#include "core/present/json/report_document.h"
#include "core/present/report/anonymous_report.h"
#include "core/present/report/report_plots.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using nlohmann::json;
using test::reportInput;

std::vector<std::string> headingsOf(const ReportPage& page) {
  std::vector<std::string> headings;
  for (const ReportBlock& block : page.blocks) {
    const auto* heading = std::get_if<ReportHeading>(&block);
    if (heading != nullptr && heading->level < 4) headings.push_back(heading->text);
  }
  return headings;
}

TEST(Report, GivesTheVerdictFirstAndEverythingElseInOrder) {
  const ReportPage page = pageOf(makeReport(reportInput("nginx")));
  ASSERT_TRUE(std::holds_alternative<ReportVerdict>(page.blocks.front()));
  EXPECT_THAT(std::get<ReportVerdict>(page.blocks.front()).text, testing::HasSubstr("imited by the receive window"));
  EXPECT_THAT(headingsOf(page),
              testing::ElementsAre("What to do", "Before and after", "Appendix", "192.0.2.1:50000 – 198.51.100.2:443",
                                   "Evidence", "Advice", "Findings", "Bounds", "Negotiated options", "Events",
                                   "Host check-up", "Listeners", "What the limits mean", "How to read this report",
                                   "Which tuning for which load", "All variables"));
}

TEST(Report, SaysWhatIsMissing) {
  ReportInput input = reportInput("nginx");
  input.checkup.reset();
  const std::string html = toHtml(pageOf(makeReport(input)));
  EXPECT_THAT(html, testing::HasSubstr("The host was not checked"));
  EXPECT_THAT(html, testing::HasSubstr("polls with missed sockets: 3"));
}

TEST(Report, DetailsTheHeaviestConnectionsAndCountsTheOthers) {
  ReportInput input = reportInput("nginx");
  const auto first = input.details.front();
  for (std::uint64_t cookie = 2; cookie <= 9; ++cookie) {
    auto other = std::make_shared<ConnectionDetail>(*first);
    other->socket =
        test::ObservationBuilder().cookie(cookie).local("192.0.2.9", static_cast<std::uint16_t>(cookie)).build();
    other->diagnosis.sending->goodput = BitsPerSecond(1e6 * static_cast<double>(cookie));
    input.details.push_back(other);
  }
  auto idle = std::make_shared<ConnectionDetail>(*first);
  idle->diagnosis = {};
  input.details.push_back(idle);
  const ReportModel report = makeReport(input);
  ASSERT_EQ(report.connections.size(), kMostReported);
  EXPECT_EQ(report.connections[0].detail->socket.local.toString(), "192.0.2.1:50000") << "12 Mbit/s";
  EXPECT_EQ(report.connections[1].detail->socket.local.toString(), "192.0.2.9:9");
  EXPECT_EQ(report.activeLeftOut, 9 - kMostReported);
  EXPECT_EQ(report.idleLeftOut, 1U);
}

TEST(Report, ComparesBeforeAndAfterAChange) {
  const ReportModel report = makeReport(reportInput("nginx"));
  ASSERT_EQ(report.connections.front().changes.size(), 1U);
  const auto& comparison = report.connections.front().changes.front().comparison;
  ASSERT_TRUE(comparison);
  EXPECT_NEAR(comparison->before.mean, 12e6, 0.3e6);
  EXPECT_NEAR(comparison->after.mean, 24e6, 0.3e6);
}

TEST(Report, AccompaniesPlotsWithSentencesAndTables) {
  const auto plots = plotsOf(*makeReport(reportInput("nginx")).connections.front().detail);
  std::vector<std::string> titles;
  for (const TimePlot& plot : plots) {
    titles.push_back(plot.title);
    EXPECT_NE(plot.sentence, "") << plot.title;
    const ReportTable table = tableOf(plot);
    EXPECT_GE(table.rows.size(), 10U);
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
  EXPECT_THAT(titles, testing::ElementsAre("Rate over time", "Limits over time", "Windows and data in flight over time",
                                           "RTT"));
  EXPECT_EQ(plots[0].sentence, "192.0.2.1 sent between 12.0 Mbit/s and 24.0 Mbit/s. 94.0 Mbit/s would be possible.");
}

TEST(ReportAsHtml, HasNoScriptAndNothingFromElsewhere) {
  const std::string html = toHtml(pageOf(makeReport(reportInput("nginx"))));
  EXPECT_THAT(html, testing::HasSubstr("default-src 'none'"));
  for (const std::string_view forbidden : {"<script", "src=", "url(", "@import", "style=\""}) {
    EXPECT_EQ(html.find(forbidden), std::string::npos) << forbidden;
  }
  // A mail is only written when a person clicks on it.
  for (std::size_t at = html.find("href="); at != std::string::npos; at = html.find("href=", at + 1)) {
    EXPECT_EQ(html.substr(at, 21), "href=\"mailto:?subject");
  }
  EXPECT_LT(html.size(), 1'000'000U);
}

TEST(ReportAsHtml, IsValid) {
  const test::TemporaryFile file(toHtml(pageOf(makeReport(reportInput("nginx")))));
  FILE* pipe = popen(("tidy -q -e " + file.path() + " 2>&1").c_str(), "r");
  std::string said;
  std::array<char, 512> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) said.append(buffer.data(), size);
  EXPECT_EQ(pclose(pipe), 0) << said;
}

TEST(ReportAsJson, KeepsToItsSchema) {
  const std::string document = toJson(makeReport(reportInput("nginx")));
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  const json parsed = json::parse(document);
  EXPECT_EQ(parsed.at("schema"), "tcpscope.report");
  EXPECT_EQ(parsed.at("connections").at(0).at("over_time").size(), 4U);
  EXPECT_EQ(parsed.at("connections").at(0).at("events").at("retransmission"), 3);
}

TEST(Report, CountsADropOfTheCongestionWindowOnceHoweverLargeItWas) {
  ReportInput input = reportInput("nginx");
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  detail->events = {{detail->socket.takenAt, HistoryEventKind::congestionWindowDrop, 18},
                    {detail->socket.takenAt, HistoryEventKind::congestionWindowDrop, 5},
                    {detail->socket.takenAt, HistoryEventKind::retransmission, 3}};
  input.details.front() = detail;
  const ReportModel report = makeReport(input);
  const json events = json::parse(toJson(report)).at("connections").at(0).at("events");
  EXPECT_EQ(events, (json{{"congestion_window_drop", 2}, {"retransmission", 3}}));
  const std::string page = toHtml(pageOf(report));
  EXPECT_THAT(page, testing::HasSubstr("<dt>Congestion window reduced</dt><dd>2</dd>"));
  EXPECT_THAT(page, testing::HasSubstr("<dt>Retransmitted segments</dt><dd>3</dd>"));
  EXPECT_THAT(toHtml(pageOf(pairOf(report, report))),
              testing::HasSubstr("Congestion window reduced</td><td>2</td><td>2</td>"));
}

TEST(Report, NamesTheCommentAndTheProgramOfTheRecording) {
  ReportInput input = reportInput("nginx");
  input.recording->note = UntrustedText("before <the> update");
  input.recording->program = UntrustedText("tcpscope 0.0.9");
  const ReportModel report = makeReport(input);
  const std::string page = toHtml(pageOf(report));
  EXPECT_THAT(page, testing::HasSubstr("<dt>Comment</dt><dd>before &lt;the&gt; update</dd>"));
  EXPECT_THAT(page, testing::HasSubstr("by tcpscope 0.0.9"));
  const std::string document = toJson(report);
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  EXPECT_EQ(json::parse(document).at("note"), "before <the> update");
  EXPECT_EQ(json::parse(document).at("recording").at("program"), "tcpscope 0.0.9");
  EXPECT_THAT(toHtml(pageOf(pairOf(report, report))), testing::HasSubstr("before &lt;the&gt; update"));
  EXPECT_EQ(toHtml(pageOf(anonymous(report))).find("update"), std::string::npos) << "it may name anything";
}

TEST(Report, CallsACutRecordingCutAndNotDamaged) {
  ReportInput input = reportInput("nginx");
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  snapshot->gaps = {{PlaceId{0}, GapKind::damagedFrame, 1}};
  input.snapshot = snapshot;
  input.recording->isCut = true;
  EXPECT_THAT(toHtml(pageOf(makeReport(input))),
              testing::HasSubstr("<dt>Incomplete</dt><dd>The recording is truncated 30.0 s after its start</dd>"));
}

TEST(Report, KeepsWhenItWasMadeApartFromWhenItsConnectionsWereSeen) {
  ReportInput input = reportInput("nginx");
  const std::string unsaid = toHtml(pageOf(makeReport(input)));
  EXPECT_THAT(unsaid, testing::HasSubstr("<dt>Time</dt><dd>2 January 2026, 03:04:05 UTC</dd>"));
  EXPECT_THAT(unsaid, testing::HasSubstr("Made by tcpscope 0.1.0."));
  input.madeAt = WallTime::fromNanoseconds(1'775'000'000'000'000'000);
  const ReportModel report = makeReport(input);
  EXPECT_THAT(toHtml(pageOf(report)), testing::HasSubstr("Made by tcpscope 0.1.0, 31 March 2026, 23:33:20 UTC."));
  EXPECT_THAT(toHtml(pageOf(report)), testing::HasSubstr("<dd>2 January 2026, 03:04:05 UTC</dd>"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), toJson(report)));
  EXPECT_EQ(json::parse(toJson(report)).at("made_at"), "2026-03-31T23:33:20.000000Z");
}

TEST(Report, PutsTheMoreConfidentEndOfAConnectionFirst) {
  ReportInput input = reportInput("nginx");
  const auto sender = input.details.front();
  auto receiver = std::make_shared<ConnectionDetail>(*sender);
  std::swap(receiver->socket.local, receiver->socket.remote);
  receiver->diagnosis.sending->goodput = BitsPerSecond(13e6);
  receiver->diagnosis.verdict.limit = Limit::unknown;
  receiver->diagnosis.verdict.confidenceRatio = 0.0;
  input.details = {receiver, sender};
  ReportModel report = makeReport(input);
  ASSERT_EQ(report.connections.size(), 2U);
  EXPECT_EQ(report.connections[0].detail, sender) << "it carries a little less";
  const std::string page = toHtml(pageOf(report));
  EXPECT_EQ(page.find("Confidence 0 %"), std::string::npos) << "an unknown limit has no confidence";
  auto elsewhere = std::make_shared<ConnectionDetail>(*receiver);
  elsewhere->socket.local.port = 4;
  input.details = {sender, elsewhere};
  EXPECT_EQ(makeReport(input).connections[0].detail, elsewhere) << "another connection, which carries more";
}

/// A host with known settings, one of whose adapters changed meanwhile.
ReportInput withSettings(ReportInput input) {
  SysctlValues settings;
  settings.set("net.ipv4.tcp_sack", "1");
  settings.set("link.customer-net.mtu", "9000");
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  snapshot->places.front().settings = std::make_shared<const SysctlValues>(settings);
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  detail->changeMarks.push_back({detail->socket.takenAt, std::nullopt, UntrustedText("link.customer-net.mtu"),
                                 UntrustedText("1500"), UntrustedText("9000")});
  input.snapshot = snapshot;
  input.details.front() = detail;
  return input;
}

TEST(Report, ListsTheHostSettings) {
  const ReportModel report = makeReport(withSettings(reportInput("nginx")));
  const std::string html = toHtml(pageOf(report));
  EXPECT_THAT(html, testing::HasSubstr("Host settings"));
  EXPECT_THAT(html, testing::HasSubstr("link.customer-net.mtu"));
  const std::string document = toJson(report);
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  const json reported = json::parse(document).at("settings");
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_EQ(reported.at(0), (json{{"place", "0"}, {"key", "link.customer-net.mtu"}, {"value", "9000"}}));
}

TEST(Report, BoundsTheNumberOfSettingsOfAHostilePlace) {
  ReportInput input = reportInput("nginx");
  SysctlValues settings;
  for (int number = 0; number < 10'000; ++number) settings.set("net." + std::to_string(number), "1");
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  snapshot->places.front().settings = std::make_shared<const SysctlValues>(settings);
  input.snapshot = snapshot;
  EXPECT_EQ(json::parse(toJson(makeReport(input))).at("settings").size(), 256U);
}

TEST(AnonymousReport, NamesNeitherTheKernelReleaseNorTheRecordingProgram) {
  ReportInput input = reportInput("nginx");
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  snapshot->places.front().kernel = UntrustedText("6.1.0-28-customer");
  input.snapshot = snapshot;
  input.recording->program = UntrustedText("tcpscope 0.1.0 (built at customer)");
  const ReportModel report = anonymous(makeReport(input));
  for (const std::string& text : {toHtml(pageOf(report)), toJson(report)}) {
    EXPECT_EQ(text.find("6.1.0-28"), std::string::npos);
    EXPECT_EQ(text.find("customer"), std::string::npos);
  }
}

TEST(AnonymousReport, NamesNoInterface) {
  const ReportModel report = anonymous(makeReport(withSettings(reportInput("nginx"))));
  for (const std::string& text : {toHtml(pageOf(report)), toJson(report)}) {
    EXPECT_EQ(text.find("customer-net"), std::string::npos);
    EXPECT_THAT(text, testing::HasSubstr("link.interface-1.mtu"));
    EXPECT_THAT(text, testing::HasSubstr("net.ipv4.tcp_sack"));
  }
}

TEST(AnonymousReport, PutsTheSamePlaceholderForTheSameThing) {
  ReportInput input = reportInput("postgres");
  auto other = std::make_shared<ConnectionDetail>(*input.details.front());
  other->socket = test::ObservationBuilder().cookie(2).local("198.51.100.2", 5432).remote("::1", 9).build();
  input.details.push_back(other);
  const ReportModel report = anonymous(makeReport(input));
  const auto& first = report.connections[0].detail->socket;
  const auto& second = report.connections[1].detail->socket;
  EXPECT_EQ(first.local.toString(), "192.0.2.1:50000");
  EXPECT_EQ(first.remote.toString(), "192.0.2.2:443");
  EXPECT_EQ(second.local.toString(), "192.0.2.2:5432") << "the same address, its own port";
  EXPECT_EQ(second.remote.toString(), "[::1]:9") << "loopback says nothing";
  EXPECT_EQ(forPlainText(report.connections[0].detail->owner->processName), "program-1");
  EXPECT_EQ(forPlainText(report.connections[1].detail->owner->processName), "program-1");
  EXPECT_EQ(report.listeners.front().local.toString(), "[2001:db8::3]:443");
  EXPECT_EQ(forPlainText(report.places.front().host), "host-1");
}

}  // namespace
}  // namespace tcpscope
