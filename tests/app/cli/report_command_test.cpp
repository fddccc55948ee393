// `report`: the same look as `diagnose`, in a file for others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/present/json/report_document.h"
#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReportCommand : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tcpscope-report-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override { fs::remove_all(m_folder); }

  [[nodiscard]] std::string file(const std::string& name) const { return (m_folder / name).string(); }
  static std::string contentOf(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
  }
  static std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static std::string recordingOf(const std::string& host) {
    return (test::testData() / "recordings" / ("web100_mistuned-" + host + ".tcpscope")).lexically_normal();
  }
  static std::string recording() { return recordingOf("server"); }
  static std::string peer() { return recordingOf("client"); }
  static std::string capture() { return test::testData() / "captures/ndt-download-headers.pcap"; }
  static test::Outcome report(std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    return test::runCommandLine(std::move(words));
  }

  fs::path m_folder;
};

TEST_F(ReportCommand, WritesWhatARecordingHoldsInEveryForm) {
  for (const std::string name : {"r.html", "r.pdf", "r.md", "r.json"}) {
    const test::Outcome outcome = report({"-o", file(name), "--from", recording()});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("1 connection"));
  }
  EXPECT_THAT(contentOf(file("r.html")), HasSubstr("peer&#39;s receive buffer too small"));
  EXPECT_THAT(contentOf(file("r.pdf")), testing::StartsWith("%PDF-"));
  EXPECT_THAT(contentOf(file("r.md")), HasSubstr("peer's receive buffer too small"));
  const std::string document = contentOf(file("r.json"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  const auto parsed = nlohmann::json::parse(document);
  EXPECT_EQ(parsed.at("connections").at(0).at("over_time").size(), 4U);
  EXPECT_FALSE(parsed.contains("checkup")) << "it is another host's";
}

TEST_F(ReportCommand, LeavesTheAppendixOutWhereItIsToBeBrief) {
  ASSERT_EQ(report({"-o", file("whole.md"), "--from", recording()}).code, 0);
  ASSERT_EQ(report({"-o", file("brief.md"), "--brief", "--from", recording()}).code, 0);
  EXPECT_THAT(contentOf(file("whole.md")), HasSubstr("## Appendix"));
  EXPECT_THAT(contentOf(file("brief.md")), testing::Not(HasSubstr("## Appendix")));
  EXPECT_EQ(report({"-o", file("brief.json"), "--brief", "--from", recording()}).code, test::kWrongUsage);
}

TEST_F(ReportCommand, NamesForWhomItIsAndWhichFileItIsAbout) {
  const std::vector<std::string> cover = {"--customer", "Example <Ltd>", "--author", "A. Author", "--ticket", "T-17"};
  for (const std::string name : {"f.html", "f.json"}) {
    std::vector<std::string> words = {"-o", file(name), "--from", capture()};
    words.insert(words.end(), cover.begin(), cover.end());
    ASSERT_EQ(report(words).code, 0);
  }
  const std::string page = contentOf(file("f.html"));
  EXPECT_THAT(page, HasSubstr("<dt>Customer</dt><dd>Example &lt;Ltd&gt;</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>SHA-256</dt>"));
  const std::string document = contentOf(file("f.json"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  const auto parsed = nlohmann::json::parse(document);
  EXPECT_EQ(parsed.at("ticket"), "T-17");
  EXPECT_EQ(parsed.at("file").at("name"), "ndt-download-headers.pcap");
  EXPECT_EQ(parsed.at("file").at("size_bytes"), fs::file_size(capture()));
}

TEST_F(ReportCommand, RefusesALogoThatIsNoneAndAPathThatIsNotFromHere) {
  const test::Outcome outcome = report({"-o", file("l.html"), "--from", capture(), "--logo", capture()});
  EXPECT_EQ(outcome.code, test::kBadInput);
  EXPECT_THAT(outcome.error, HasSubstr("is no PNG image"));
  EXPECT_FALSE(fs::exists(file("l.html")));
  EXPECT_EQ(report({"-o", file("l.html"), "--from", capture(), "--path", "127.0.0.1"}).code, test::kWrongUsage);
  EXPECT_EQ(report({"-o", file("l.html"), "--from", capture(), "--author", std::string(201, 'a')}).code,
            test::kWrongUsage);
}

TEST_F(ReportCommand, HasTwoPagesBeforeTheAppendixOfEveryInput) {
  const std::string captures = test::testData().string() + "/captures/";
  for (const std::string& from : {recording(), peer(), capture(), captures + "composite-retransmissions.pcap",
                                  captures + "timeout-retransmission.pcap", captures + "fast-retransmission.pcap",
                                  captures + "exchanges/mysql.pcap"}) {
    const test::Outcome outcome = report({"-o", file("b.pdf"), "--brief", "--from", from});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    FILE* pipe = popen(("pdfinfo " + file("b.pdf")).c_str(), "r");
    std::string info(4096, '\0');
    info.resize(std::fread(info.data(), 1, info.size(), pipe));
    ASSERT_EQ(pclose(pipe), 0);
    const std::size_t at = info.find("Pages:");
    ASSERT_NE(at, std::string::npos) << info;
    EXPECT_LE(std::stoi(info.substr(at + 6)), 2) << from;
  }
}

TEST_F(ReportCommand, ACaptureAtTheReceiverNamesTheGapsThatWereFilled) {
  const std::string from = test::testData().string() + "/../golden/bursty-loss-receiver-capture/capture.pcapng.zst";
  ASSERT_EQ(report({"-o", file("g.html"), "--brief", "--from", from}).code, 0);
  const std::string page = contentOf(file("g.html"));
  EXPECT_THAT(page, HasSubstr("filled a gap: lost before the capture point."));
  EXPECT_THAT(page, testing::Not(HasSubstr("Nothing was retransmitted")));
  EXPECT_THAT(page, HasSubstr("ms over the whole path")) << "not the 6 µs of the receiver";
  EXPECT_THAT(page, testing::Not(HasSubstr("Minimum RTT")));
}

TEST_F(ReportCommand, ShowsTheSequenceOfACaptureWithItsRetransmissions) {
  const std::string from = test::testData().string() + "/captures/composite-retransmissions.pcap";
  ASSERT_EQ(report({"-o", file("s.html"), "--brief", "--from", from}).code, 0);
  const std::string page = contentOf(file("s.html"));
  EXPECT_THAT(page, HasSubstr("12 segments were retransmitted, none of them after a timeout (RTO)."));
  EXPECT_THAT(page, HasSubstr("Intervals between losses"));
  EXPECT_THAT(page, HasSubstr("from the first byte to the last"));
}

TEST_F(ReportCommand, JudgesTheLoadByThePathWithoutItsQueue) {
  const std::string from = test::testData().string() + "/captures/composite-retransmissions.pcap";
  ASSERT_EQ(report({"-o", file("g.md"), "--from", from}).code, 0);
  EXPECT_THAT(contentOf(file("g.md")), HasSubstr("bulk data (this connection)")) << "56 ms, and 190 ms with the queue";
}

TEST_F(ReportCommand, HasConnectionsThatWereIdleMostOfTheTimeWhereThereAreNoOthers) {
  const std::string from = test::testData().string() + "/captures/exchanges/redis-pubsub.pcap";
  const test::Outcome outcome = report({"-o", file("i.md"), "--from", from, "--", "sport = :60833 or sport = :60837"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string page = contentOf(file("i.md"));
  EXPECT_THAT(page, HasSubstr("Idle: hardly any data moves in this direction."));
  EXPECT_THAT(page, testing::Not(HasSubstr("No connection carried data")));
  EXPECT_THAT(page, testing::Not(HasSubstr("Mean rate"))) << "one flight has no rate";
}

TEST_F(ReportCommand, OfTimeoutsExplainsWhyMoreSegmentsFollowedThem) {
  const std::string from = test::testData().string() + "/../golden/timeouts-sender-capture/capture.pcapng.zst";
  ASSERT_EQ(report({"-o", file("t.md"), "--from", from}).code, 0);
  const std::string page = contentOf(file("t.md"));
  EXPECT_THAT(page, HasSubstr("waited for 31 retransmission timeouts"));
  EXPECT_THAT(page,
              HasSubstr("48 of them after a timeout (RTO); the sender can retransmit several segments after one"));
  EXPECT_THAT(page, HasSubstr("* Segments retransmitted after a timeout: 48"));
  EXPECT_THAT(page, testing::Not(HasSubstr("try BBR"))) << "two of five segments are lost";
  EXPECT_THAT(page, HasSubstr("* Tx rate: 10.77.0.1 sends 96.4 kbit/s"));
  EXPECT_THAT(page, HasSubstr("10.77.0.1 sent between 0 bit/s and 11.6 Mbit/s."));
  EXPECT_THAT(page, testing::Not(HasSubstr("Rx rate"))) << "nothing was received";
}

TEST_F(ReportCommand, WritesWhatACaptureShows) {
  const test::Outcome outcome = report({"-o", file("c.json"), "--from", capture()});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const auto parsed = nlohmann::json::parse(contentOf(file("c.json")));
  ASSERT_EQ(parsed.at("connections").size(), 1U);
  EXPECT_FALSE(parsed.at("connections").at(0).at("over_time").empty());
  EXPECT_EQ(report({"-o", file("d.json"), "--from", capture(), "--", "rtt", ">", "5ms"}).code, test::kWrongUsage);
}

TEST_F(ReportCommand, ShowsTheExchangesOfACapture) {
  const std::string mysql = test::testData() / "captures/exchanges/mysql.pcap";
  const test::Outcome outcome = report({"-o", file("e.html"), "--from", mysql});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string page = contentOf(file("e.html"));
  EXPECT_THAT(page, HasSubstr("Requests and responses"));
  EXPECT_THAT(page, HasSubstr("17: server &lt;0.1 %, network &lt;0.1 %, client 100 %"));
  EXPECT_THAT(page, HasSubstr("request in frame 24, response in frame 25"));
}

TEST_F(ReportCommand, PutsTwoSideBySideInEveryForm) {
  for (const std::string name : {"both.html", "both.pdf", "both.json"}) {
    const test::Outcome outcome = report({"-o", file(name), "--from", recording(), "--compare", peer()});
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("two side by side"));
  }
  EXPECT_THAT(contentOf(file("both.html")), HasSubstr("times as fast in the second as in the first"));
  EXPECT_THAT(contentOf(file("both.pdf")), testing::StartsWith("%PDF-"));
  const std::string document = contentOf(file("both.json"));
  EXPECT_TRUE(test::conformsTo(comparisonSchema(), document));
  const auto parsed = nlohmann::json::parse(document);
  EXPECT_NEAR(parsed.at("goodput").at("speedup_ratio").get<double>(), 1.0, 0.05) << "one transfer, seen at both ends";
}

TEST_F(ReportCommand, PutsACaptureBesideARecording) {
  ASSERT_EQ(report({"-o", file("b.json"), "--from", recording(), "--compare", capture()}).code, 0);
  const auto parsed = nlohmann::json::parse(contentOf(file("b.json")));
  EXPECT_EQ(parsed.at("second").at("connections").size(), 1U);
  EXPECT_FALSE(parsed.contains("settings")) << "a capture holds none";
  EXPECT_EQ(report({"-o", file("c.json"), "--from", recording(), "--compare", file("none")}).code, test::kNotThere);
  EXPECT_FALSE(fs::exists(file("c.json")));
}

TEST_F(ReportCommand, ShowsTheNoteOfTheRecording) {
  const test::Outcome recorded =
      test::runCommandLine({"record", "-o", file("noted.tcpscope"), "--for", "0.5", "--note", "before the <update>"});
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  for (const std::string name : {"n.html", "n.json", "n.pdf"}) {
    ASSERT_EQ(report({"-o", file(name), "--from", file("noted.tcpscope")}).code, 0);
  }
  EXPECT_THAT(contentOf(file("n.html")), HasSubstr("before the &lt;update&gt;"));
  const auto parsed = nlohmann::json::parse(contentOf(file("n.json")));
  EXPECT_EQ(parsed.at("note"), "before the <update>");
  EXPECT_FALSE(parsed.at("recording").at("cut"));
}

TEST_F(ReportCommand, OfACutRecordingSaysThatItIsCut) {
  const std::string whole = contentOf(recording());
  std::ofstream(file("cut.tcpscope"), std::ios::binary) << whole.substr(0, whole.size() * 2 / 3);
  const std::string from = file("cut.tcpscope");
  const test::Outcome made = report({"-o", file("cut.json"), "--from", from});
  EXPECT_EQ(made.code, 0);
  EXPECT_TRUE(nlohmann::json::parse(contentOf(file("cut.json"))).at("recording").at("cut"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"diagnose", "--from", from},
                                                {"list", "--from", from},
                                                {"export", "--from", from, "--series", "rtt_us", "-o", "-"}}) {
    const test::Outcome outcome = test::runCommandLine(words);
    EXPECT_EQ(outcome.code, 0) << words.front();
    EXPECT_THAT(outcome.error, HasSubstr("cut.tcpscope' is truncated ")) << words.front();
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  }
  EXPECT_EQ(test::runCommandLine({"diagnose", "--from", recording()}).error, "");
}

TEST_F(ReportCommand, OfADamagedRecordingSaysWhereItIsDamaged) {
  std::string content = contentOf(recording());
  content[content.size() / 2] = static_cast<char>(~content[content.size() / 2]);
  std::ofstream(file("damaged.tcpscope"), std::ios::binary) << content;
  const test::Outcome outcome = test::runCommandLine({"list", "--from", file("damaged.tcpscope")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.error, testing::AllOf(HasSubstr("' is "), HasSubstr(" after its start"))) << outcome.error;
}

TEST_F(ReportCommand, OfATruncatedCaptureSaysThatItIsTruncated) {
  const std::string whole = contentOf(capture());
  std::ofstream(file("cut.pcap"), std::ios::binary) << whole.substr(0, whole.size() * 2 / 3 + 1);
  for (const std::string name : {"t.md", "t.json"}) {
    const test::Outcome made = report({"-o", file(name), "--from", file("cut.pcap")});
    EXPECT_EQ(made.code, 0);
    EXPECT_THAT(made.error, HasSubstr("cut.pcap': The file ends in the middle of a packet at byte "));
  }
  const std::string page = contentOf(file("t.md"));
  EXPECT_THAT(page, HasSubstr("The file ends in the middle of a packet at byte "));
  EXPECT_THAT(page, testing::Not(HasSubstr("No collection gaps")));
  const std::string document = contentOf(file("t.json"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  EXPECT_EQ(nlohmann::json::parse(document).at("capture_gaps").at(0).at("kind"), "cut");
  ASSERT_EQ(report({"-o", file("pair.md"), "--from", capture(), "--compare", file("cut.pcap")}).code, 0);
  EXPECT_THAT(contentOf(file("pair.md")), HasSubstr("| Incomplete | – | The file ends in the middle of a packet"));
}

TEST_F(ReportCommand, RefusesACaptureForTheReasonThatAnalyzeGives) {
  std::ofstream(file("text.pcap")) << "Frame 1: 74 bytes on wire\n";
  std::ofstream(file("empty.pcap")).flush();
  // The header alone: no packets.
  std::ofstream(file("quiet.pcap"), std::ios::binary) << contentOf(capture()).substr(0, 24);
  for (const std::string name : {"text.pcap", "empty.pcap", "quiet.pcap", "missing.pcap"}) {
    const test::Outcome analyzed = test::runCommandLine({"analyze", file(name)});
    const test::Outcome reported = report({"-o", file("x.html"), "--from", file(name)});
    EXPECT_NE(reported.code, 0) << name;
    EXPECT_EQ(reported.code, analyzed.code) << name;
    EXPECT_EQ(reported.error, analyzed.error) << name;
    const test::Outcome compared = report({"-o", file("x.html"), "--from", capture(), "--compare", file(name)});
    EXPECT_EQ(compared.code, analyzed.code) << name;
  }
  EXPECT_FALSE(fs::exists(file("x.html")));
}

TEST_F(ReportCommand, LooksAtThisHost) {
  const test::Outcome outcome = report({"-o", file("live.json"), "--for", "0.5"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string document = contentOf(file("live.json"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), document));
  EXPECT_FALSE(nlohmann::json::parse(document).at("checkup").at("checks").empty());
}

TEST_F(ReportCommand, HidesNamesWhereAsked) {
  ASSERT_EQ(report({"-o", file("a.html"), "--from", recording(), "--anonymize"}).code, 0);
  const std::string page = contentOf(file("a.html"));
  EXPECT_EQ(page.find("10.77.0."), std::string::npos);
  EXPECT_EQ(page.find("main-send"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("192.0.2.1:20000"));
  EXPECT_THAT(page, HasSubstr("program-1"));
}

TEST_F(ReportCommand, HidesNamesInACaptureAndKeepsItsFigures) {
  ASSERT_EQ(report({"-o", file("named.md"), "--from", capture()}).code, 0);
  ASSERT_EQ(report({"-o", file("hidden.md"), "--from", capture(), "--anonymize"}).code, 0);
  const auto figures = [](std::string page) {
    std::vector<std::string> lines;
    for (const std::string& line : linesOf(std::move(page))) {
      const bool hasFigures = line.find("Mean rate") != std::string::npos || line.find("RTT") != std::string::npos ||
                              line.find("Sequence") != std::string::npos || line.starts_with("| 0");
      if (hasFigures) lines.push_back(line);
    }
    return lines;
  };
  EXPECT_EQ(figures(contentOf(file("hidden.md"))), figures(contentOf(file("named.md"))));
  EXPECT_GT(figures(contentOf(file("named.md"))).size(), 5U);
  for (const std::string name : {"hidden.md", "hidden.json"}) {
    ASSERT_EQ(report({"-o", file(name), "--from", capture(), "--anonymize"}).code, 0);
    EXPECT_THAT(contentOf(file(name)), testing::Not(HasSubstr("SHA-256")));
    EXPECT_THAT(contentOf(file(name)), testing::Not(HasSubstr("sha256")));
  }
  EXPECT_TRUE(test::conformsTo(reportSchema(), contentOf(file("hidden.json"))));
}

TEST_F(ReportCommand, ReplacesAPlainFileWholeAndKeepsItsRights) {
  std::ofstream(file("r.html")) << "old";
  chmod(file("r.html").c_str(), 0640);
  ASSERT_EQ(report({"-o", file("r.html"), "--from", recording()}).code, 0);
  EXPECT_THAT(contentOf(file("r.html")), HasSubstr("</html>"));
  struct stat status = {};
  ASSERT_EQ(stat(file("r.html").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1) << "nothing is left beside it";
}

TEST_F(ReportCommand, RefusesWhatIsNoPlainFileInOneLine) {
  fs::create_directory(m_folder / "folder.html");
  ASSERT_EQ(mkfifo(file("pipe.html").c_str(), 0600), 0);
  const test::Outcome folder = report({"-o", file("folder.html"), "--from", recording()});
  EXPECT_EQ(folder.code, test::kWrongUsage);
  EXPECT_THAT(folder.error, HasSubstr("is a directory"));
  EXPECT_EQ(std::count(folder.error.begin(), folder.error.end(), '\n'), 1);
  EXPECT_EQ(report({"-o", file("pipe.html"), "--from", recording()}).code, test::kWrongUsage);
  const test::Outcome nowhere = report({"-o", file("no/such.html"), "--from", recording()});
  EXPECT_EQ(nowhere.code, test::kSystemFailed);
  EXPECT_THAT(nowhere.error, HasSubstr("No such file or directory"));
}

TEST_F(ReportCommand, TakesTheFormFromTheEnding) {
  const test::Outcome outcome = report({"-o", file("r.doc"), "--from", recording()});
  EXPECT_EQ(outcome.code, test::kWrongUsage);
  EXPECT_THAT(outcome.error, HasSubstr("use .html, .pdf, .md or .json"));
  EXPECT_EQ(report({"--from", recording()}).code, test::kWrongUsage) << "nowhere to write to";
}

TEST_F(ReportCommand, WritesNothingWhereNothingMatches) {
  EXPECT_EQ(report({"-o", file("r.html"), "--from", recording(), "--", "dport", "=", ":9"}).code, test::kNotThere);
  EXPECT_FALSE(fs::exists(file("r.html")));
}

}  // namespace
}  // namespace tcpscope
