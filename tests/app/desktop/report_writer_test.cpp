// Reports from the window: written whole beside the window, with this host's check-up where it is about this host.
#include "app/desktop/report_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/present/json/report_document.h"
#include "tests/app/desktop/demo_waiting.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReportWriterTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tcpscope-reports-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override { fs::remove_all(m_folder); }

  /// A report of the example into this file, when it is done.
  ReportState write(ReportWriter& writer, const std::string& name, bool isAnonymous = false) {
    return write(writer, name, test::reportInput("nginx"), isAnonymous);
  }
  ReportState write(ReportWriter& writer, const std::string& name, const ReportInput& input, bool isAnonymous = false) {
    writer.write({(m_folder / name).string(), input.snapshot, input.details, isAnonymous});
    EXPECT_TRUE(test::comesTrue([&] { return writer.state().phase != ReportPhase::writing; }));
    return writer.state();
  }
  [[nodiscard]] std::string contentOf(const std::string& name) const {
    std::ostringstream content;
    content << std::ifstream(m_folder / name, std::ios::binary).rdbuf();
    return content.str();
  }
  static ReportSources sources(bool isOwnPlace) {
    return {[](const std::stop_token&) { return test::reportInput("nginx").checkup; },
            [isOwnPlace](const Place&) { return isOwnPlace; }, [] { return std::optional<fs::path>(); }};
  }

  fs::path m_folder;
};

TEST_F(ReportWriterTest, WritesEveryForm) {
  ReportWriter writer(sources(false));
  for (const std::string name : {"a.html", "a.pdf", "a.json"}) {
    const ReportState state = write(writer, name);
    ASSERT_EQ(state.phase, ReportPhase::written) << state.notice;
    EXPECT_EQ(state.name, name);
    EXPECT_EQ(state.bytes, fs::file_size(m_folder / name));
  }
  EXPECT_THAT(contentOf("a.html"), HasSubstr("Limited by the receive window"));
  EXPECT_TRUE(test::conformsTo(reportSchema(), contentOf("a.json")));
}

TEST_F(ReportWriterTest, HasTheCheckUpOfThisHostOnly) {
  ReportSources here = sources(true);
  here.isOwnPlace = [](const Place& place) { return place.bootId == "here"; };
  ReportWriter writer(here);
  const auto hasCheckup = [&](const std::string& bootId, const std::string& recording) {
    ReportInput input = test::reportInput("nginx");
    auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
    snapshot->places.front().bootId = bootId;
    snapshot->places.front().recording = UntrustedText(recording);
    // This host is in the list, too.
    Place own;
    own.id = PlaceId{7};
    own.bootId = "here";
    snapshot->places.push_back(own);
    input.snapshot = snapshot;
    EXPECT_EQ(write(writer, "a.json", input).phase, ReportPhase::written);
    return nlohmann::json::parse(contentOf("a.json")).contains("checkup");
  };
  EXPECT_TRUE(hasCheckup("here", ""));
  EXPECT_FALSE(hasCheckup("there", "")) << "the connection is another host's";
  EXPECT_FALSE(hasCheckup("here", "of-yesterday.tcpscope"));
}

TEST_F(ReportWriterTest, HasTheCheckUpOfAHostBehindSsh) {
  ReportSources there = sources(false);
  bool isConnected = true;
  bool answers = true;
  there.remoteHost = [&](PlaceId) { return std::optional(RemoteHost{"db1", isConnected}); };
  there.checkRemoteHost = [&](const std::string& address, const CheckupOrder&,
                              const std::stop_token&) -> Expected<HostCheckup, std::string> {
    EXPECT_EQ(address, "db1");
    if (!answers) return Unexpected<std::string>("no tcpscope-cli");
    return HostCheckup{*test::reportInput("nginx").checkup, std::chrono::seconds(1)};
  };
  ReportWriter writer(there);
  const auto hasCheckup = [&] {
    EXPECT_EQ(write(writer, "a.json").phase, ReportPhase::written);
    return nlohmann::json::parse(contentOf("a.json")).contains("checkup");
  };
  EXPECT_TRUE(hasCheckup());
  answers = false;
  EXPECT_FALSE(hasCheckup()) << "and is written all the same";
  answers = true;
  isConnected = false;
  EXPECT_FALSE(hasCheckup());
}

TEST_F(ReportWriterTest, LeavesTheAppendixOutWhereAsked) {
  ReportWriter writer(sources(false));
  const ReportInput input = test::reportInput("nginx");
  for (const std::string name : {"brief.html", "brief.json"}) {
    writer.write({(m_folder / name).string(), input.snapshot, input.details, false, true});
    ASSERT_TRUE(test::comesTrue([&] { return writer.state().phase != ReportPhase::writing; }));
    EXPECT_EQ(writer.state().phase, ReportPhase::written);
  }
  EXPECT_EQ(contentOf("brief.html").find("Appendix"), std::string::npos);
  EXPECT_TRUE(test::conformsTo(reportSchema(), contentOf("brief.json"))) << "a document is always whole";
}

TEST_F(ReportWriterTest, HasWhatItsAuthorAddsAndTheHashOfTheFileThatIsShown) {
  const fs::path capture = m_folder / "slow.pcap";
  std::ofstream(capture) << "abc";
  ReportSources shown = sources(false);
  shown.shownFile = [capture] { return std::optional(capture); };
  ReportWriter writer(shown);
  const auto coverOf = [&](const std::string& recording) {
    ReportInput input = test::reportInput("nginx");
    auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
    for (Place& place : snapshot->places) place.recording = UntrustedText(recording);
    const ReportLetterhead letterhead{UntrustedText("Example Ltd"), UntrustedText("A. Author"), UntrustedText("T-17")};
    writer.write({(m_folder / "a.json").string(), snapshot, input.details, false, false, letterhead});
    EXPECT_TRUE(test::comesTrue([&] { return writer.state().phase != ReportPhase::writing; }));
    return nlohmann::json::parse(contentOf("a.json"));
  };
  const auto ofFile = coverOf("slow.pcap");
  EXPECT_EQ(ofFile.at("customer"), "Example Ltd");
  EXPECT_EQ(ofFile.at("author"), "A. Author");
  EXPECT_EQ(ofFile.at("ticket"), "T-17");
  // Of "abc": FIPS 180-4, appendix.
  EXPECT_EQ(ofFile.at("file").at("sha256"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_FALSE(coverOf("").contains("file")) << "live connections behind the file";
}

TEST_F(ReportWriterTest, SaysWhyALogoCannotBeTaken) {
  ReportWriter writer(sources(false));
  const ReportInput input = test::reportInput("nginx");
  ReportLetterhead letterhead;
  letterhead.logo = "/nowhere/logo.png";
  writer.write({(m_folder / "a.html").string(), input.snapshot, input.details, false, false, letterhead});
  ASSERT_TRUE(test::comesTrue([&] { return writer.state().phase != ReportPhase::writing; }));
  EXPECT_EQ(writer.state().phase, ReportPhase::failed);
  EXPECT_THAT(writer.state().notice, HasSubstr("/nowhere/logo.png"));
  EXPECT_FALSE(fs::exists(m_folder / "a.html"));
}

TEST_F(ReportWriterTest, HidesNamesWhereAsked) {
  ReportWriter writer(sources(false));
  write(writer, "a.html", true);
  EXPECT_EQ(contentOf("a.html").find("198.51.100.2"), std::string::npos);
}

TEST_F(ReportWriterTest, SaysWhyNothingWasWrittenAndLeavesWhatIsThere) {
  ReportWriter writer(sources(false));
  EXPECT_THAT(write(writer, "a.doc").notice, HasSubstr("use .html, .pdf, .md or .json"));
  fs::create_directory(m_folder / "folder.html");
  const ReportState folder = write(writer, "folder.html");
  EXPECT_EQ(folder.phase, ReportPhase::failed);
  EXPECT_THAT(folder.notice, HasSubstr("is a directory"));
  EXPECT_THAT(write(writer, "none/such.html").notice, HasSubstr("No such file or directory"));
  writer.forget();
  EXPECT_EQ(writer.state().phase, ReportPhase::none);
}

TEST_F(ReportWriterTest, ReportsAFailureBeforeWritingTheNextReport) {
  std::promise<void> mayGoOn;
  ReportSources held = sources(true);
  held.checkUp = [&, goOn = mayGoOn.get_future().share()](const std::stop_token&) {
    goOn.wait();
    return test::reportInput("nginx").checkup;
  };
  ReportWriter writer(held);
  const ReportInput input = test::reportInput("nginx");
  writer.write({(m_folder / "none/first.html").string(), input.snapshot, input.details, false});
  writer.write({(m_folder / "second.html").string(), input.snapshot, input.details, false});
  ASSERT_TRUE(test::comesTrue([&] { return writer.state().phase == ReportPhase::failed; }));
  EXPECT_EQ(writer.state().name, "first.html");
  writer.forget();
  EXPECT_EQ(writer.state().phase, ReportPhase::writing);
  EXPECT_EQ(writer.state().name, "second.html");
  mayGoOn.set_value();
  ASSERT_TRUE(test::comesTrue([&] { return writer.state().phase == ReportPhase::written; }));
  // A reported failure is over with the next request.
  write(writer, "none/third.html");
  EXPECT_EQ(write(writer, "fourth.html").phase, ReportPhase::written);
}

TEST(ReportSources, LookAtThisHostTwice) {
  const auto checkup =
      ReportSources::ofThisHost([] { return std::optional<fs::path>(); }, {}).checkUp(std::stop_token());
  ASSERT_TRUE(checkup);
  EXPECT_FALSE(checkup->empty());
}

}  // namespace
}  // namespace tcpscope
