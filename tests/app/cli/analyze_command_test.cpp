// `analyze` as a user or a script meets it: captures that others published, captures that were damaged, packed, cut
// into pieces or wrapped in other headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "core/present/json/capture_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/capture_bytes.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using namespace test;
using nlohmann::json;

std::filesystem::path captures() {
  return testData() / "captures";
}

std::string capture(const std::string& name) {
  return captures() / name;
}

Outcome analyze(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  return runProgram(commandLineProgram(), std::move(words));
}

Outcome shell(const std::string& command) {
  return runProgram("/bin/sh", {"-c", command});
}

json documentOf(const std::vector<std::string>& files) {
  std::vector<std::string> words = files;
  words.emplace_back("--json");
  return json::parse(analyze(words).out);
}

std::string textOf(const Octets& octets) {
  std::string text;
  for (const std::byte octet : octets) text.push_back(static_cast<char>(octet));
  return text;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// What two independent programs agree on.

struct SharedFigure {
  const char* ours;
  const char* tshark;
  const char* tcptrace;
};
constexpr std::array kSharedFigures = {
    SharedFigure{"packets", "pkts", "total_packets"},
    SharedFigure{"data_packets", "data_pkts", "actual_data_pkts"},
    SharedFigure{"payload_bytes", "payload_bytes", "actual_data_bytes"},
    SharedFigure{"unique_bytes", "unique_bytes", "unique_bytes_sent"},
    SharedFigure{"retransmitted_bytes", "rexmit_bytes", "rexmt_data_bytes"},
    SharedFigure{"retransmitted_packets", "rexmit_pkts", "rexmt_data_pkts"},
    SharedFigure{"zero_window_events", "zero_win", "zero_win_adv"},
    SharedFigure{"window_min_bytes", "win_min", "min_win_adv"},
    SharedFigure{"window_max_bytes", "win_max", "max_win_adv"},
};

class PublicCaptureDocument : public testing::TestWithParam<std::filesystem::path> {};

std::vector<std::filesystem::path> expectations() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(captures() / "expected")) {
    if (entry.path().filename().string().find(".pcap") != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void compareDirection(const json& ours, const json& tshark, const json& tcptrace, const std::string& suffix) {
  for (const SharedFigure& figure : kSharedFigures) {
    const json& one = tshark.at(figure.tshark);
    if (!one.is_number() || !ours.contains(figure.ours)) continue;
    const std::int64_t other = std::stoll(tcptrace.at(figure.tcptrace + suffix).get<std::string>());
    if (one.get<std::int64_t>() != other) continue;
    EXPECT_EQ(ours.at(figure.ours), other) << figure.ours;
  }
}

TEST_P(PublicCaptureDocument, ConformsAndSaysWhatBothProgramsSay) {
  const std::string name = GetParam().stem().string();
  const Outcome outcome = analyze({capture(name), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  ASSERT_TRUE(conformsTo(captureSchema(), outcome.out));
  const json connections = json::parse(outcome.out).at("connections");
  const json expected = json::parse(readFile(GetParam()));
  const json& streams = expected.at("tshark").at("streams");
  ASSERT_EQ(connections.size(), streams.size());
  const json conns = expected.at("tcptrace").value("conns", json::array());
  if (conns.size() != streams.size()) return;
  for (std::size_t index = 0; index < streams.size(); ++index) {
    const json& directions = connections[index].at("directions");
    compareDirection(directions[0], streams[index].at("d")[0], conns[index], "_a2b");
    compareDirection(directions[1], streams[index].at("d")[1], conns[index], "_b2a");
  }
}

INSTANTIATE_TEST_SUITE_P(Expected, PublicCaptureDocument, testing::ValuesIn(expectations()), [](const auto& each) {
  std::string name = each.param.stem().stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The packets of one connection, with comments.

class SavedPackets : public testing::Test {
protected:
  Outcome save(std::vector<std::string> words) {
    words.insert(words.end(), {"--save-packets", m_file.string()});
    return analyze(std::move(words));
  }
  [[nodiscard]] std::string file() const { return m_file.string(); }
  ~SavedPackets() override { std::filesystem::remove(m_file); }

private:
  std::filesystem::path m_file =
      std::filesystem::temp_directory_path() / ("saved-packets-" + std::to_string(getpid()) + ".pcapng");
};

TEST_F(SavedPackets, AreThoseOfTheConnectionAndShowTheSame) {
  const Outcome outcome = save({capture("timeout-retransmission.pcap")});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.error.find("32 packets"), std::string::npos) << outcome.error;
  const auto figures = [](const std::string& name) {
    const json found = documentOf({name}).at("connections").at(0);
    return std::pair(found.at("directions")[0].at("retransmissions_by_cause"),
                     found.at("directions")[1].at("retransmissions_by_cause"));
  };
  EXPECT_EQ(figures(file()), figures(capture("timeout-retransmission.pcap")));
}

TEST_F(SavedPackets, HaveTheirCommentsAtTheRightFrames) {
  if (shell("command -v tshark").code != 0) GTEST_SKIP() << "tshark is not installed";
  ASSERT_EQ(save({capture("fast-retransmission.pcap")}).code, 0);
  const auto frames = [this](const std::string& filter) {
    return shell("tshark -r " + file() + " -T fields -e frame.number -Y '" + filter + "' 2>/dev/null").out;
  };
  const std::string marked = frames("frame.comment contains \"Retransmission\"");
  EXPECT_FALSE(marked.empty());
  EXPECT_EQ(marked, frames("tcp.analysis.retransmission || tcp.analysis.fast_retransmission"));
  EXPECT_EQ(frames("frame.comment && frame.number == 1"), "1\n");
  EXPECT_EQ(shell("capinfos " + file()).code, 0);
}

TEST_F(SavedPackets, NeverReplaceTheCaptureThatIsRead) {
  const std::string own = file();
  std::filesystem::copy_file(capture("timeout-retransmission.pcap"), own);
  const Outcome outcome = save({own});
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.error.find("exists"), std::string::npos) << outcome.error;
  EXPECT_EQ(readFile(own), readFile(capture("timeout-retransmission.pcap")));
}

TEST_F(SavedPackets, TakeOneConnection) {
  const Outcome several = save({capture("many-interfaces.pcapng")});
  EXPECT_EQ(several.code, 2) << several.error;
  EXPECT_NE(several.error.find("leaves"), std::string::npos) << several.error;
  EXPECT_FALSE(std::filesystem::exists(file()));
}

// The same however the bytes arrive.

/// Everything but the files' names and formats.
json contentOf(json document) {
  for (json& file : document.at("files")) {
    file.erase("name");
    file.erase("format");
  }
  return document;
}

TEST(AnalyzeCommand, KeepsItsColumnsInColor) {
  const Outcome plain = analyze({"--color", "never", capture("composite-retransmissions.pcap")});
  const Outcome colored = analyze({"--color", "always", capture("composite-retransmissions.pcap")});
  EXPECT_NE(plain.out.find("    problem     "), std::string::npos) << plain.out;
  EXPECT_NE(colored.out.find("    \x1b[31mproblem     \x1b[0m"), std::string::npos) << colored.out;
}

TEST(AnalyzeCommand, ReadsStandardInputAndPackedFiles) {
  const std::string plain = capture("composite-retransmissions.pcap");
  const json expected = contentOf(documentOf({plain}));
  EXPECT_EQ(contentOf(json::parse(shell("cat " + plain + " | " + commandLineProgram() + " analyze --json -").out)),
            expected);
  const TemporaryFile packed("");
  ASSERT_EQ(shell("gzip -c " + plain + " > " + packed.path()).code, 0);
  EXPECT_EQ(contentOf(documentOf({packed.path()})), expected);
  if (shell("zstd -qfc " + plain + " > " + packed.path()).code != 0) return;
  EXPECT_EQ(contentOf(documentOf({packed.path()})), expected);
}

std::vector<RecordedFrame> exchange(const std::function<Octets(const SegmentText&)>& wrap) {
  const SegmentText client;
  SegmentText server;
  std::swap(server.source, server.destination);
  const auto time = [](int milliseconds) {
    return WallTime::fromNanoseconds(1'700'000'000'000'000'000 + milliseconds * 1'000'000LL);
  };
  const auto segment = [](SegmentText text, std::uint32_t sequence, std::uint32_t acknowledgment, std::uint8_t flags,
                          std::size_t payload) {
    text.sequence = sequence;
    text.acknowledgment = acknowledgment;
    text.flags = TcpFlags{flags};
    text.payloadBytes = payload;
    if ((flags & 0x02) != 0) text.options = octets({2, 4, 5, 0xb4, 4, 2, 1, 1});
    return text;
  };
  return {{time(0), wrap(segment(client, 999, 0, 0x02, 0))},
          {time(40), wrap(segment(server, 4999, 1000, 0x12, 0))},
          {time(41), wrap(segment(client, 1000, 5000, 0x10, 0))},
          {time(50), wrap(segment(client, 1000, 5000, 0x18, 1000))},
          {time(51), wrap(segment(client, 2000, 5000, 0x18, 1000))},
          {time(300), wrap(segment(client, 1000, 5000, 0x18, 1000))},
          {time(340), wrap(segment(server, 5000, 3000, 0x10, 0))}};
}

Octets inEthernet(const SegmentText& segment) {
  return ethernetFrame(ipPacket(segment));
}

TEST(AnalyzeCommand, SaysTheSameWhateverIsAroundThePackets) {
  const auto documentOfBytes = [](const Octets& bytes) {
    const TemporaryFile file(textOf(bytes));
    return contentOf(documentOf({file.path()}));
  };
  const std::vector<RecordedFrame> frames = exchange(inEthernet);
  const json expected = documentOfBytes(pcapFile(frames));
  ASSERT_EQ(expected.at("connections").size(), 1U);
  EXPECT_EQ(expected.at("connections")[0].at("directions")[0].at("retransmitted_packets"), 1);
  EXPECT_EQ(documentOfBytes(pcapFile(frames, {true, false, 1})), expected);
  EXPECT_EQ(documentOfBytes(pcapFile(frames, {false, true, 1})), expected);
  EXPECT_EQ(documentOfBytes(pcapngFile(frames)), expected);
  EXPECT_EQ(documentOfBytes(pcapngFile(frames, {1, 0, 9, 0}, true)), expected);
  const auto tagged = [](const SegmentText& segment) {
    return ethernetFrame(0x8100, vlanTag(7, 0x0800, ipPacket(segment)));
  };
  EXPECT_EQ(documentOfBytes(pcapFile(exchange(tagged))), expected);
  const auto cooked = [](const SegmentText& segment) { return linuxCooked(0x0800, ipPacket(segment)); };
  EXPECT_EQ(documentOfBytes(pcapFile(exchange(cooked), {false, false, 113})), expected);
  const auto raw = [](const SegmentText& segment) { return ipPacket(segment); };
  EXPECT_EQ(documentOfBytes(pcapFile(exchange(raw), {false, false, 101})), expected);
}

TEST(AnalyzeCommand, TakesFilesThatFollowOneAnotherForOneCapture) {
  const std::vector<RecordedFrame> frames = exchange(inEthernet);
  const std::vector<RecordedFrame> begin(frames.begin(), frames.begin() + 4);
  const std::vector<RecordedFrame> rest(frames.begin() + 4, frames.end());
  const TemporaryFile first(textOf(pcapFile(begin)));
  const TemporaryFile second(textOf(pcapFile(rest)));
  const TemporaryFile whole(textOf(pcapFile(frames)));
  const json document = documentOf({first.path(), second.path()});
  EXPECT_EQ(document.at("connections"), documentOf({whole.path()}).at("connections"));
  EXPECT_EQ(document.at("files").at(1).at("capture"), 0);
  // The same packets seen twice, as at both ends, are no retransmissions.
  const json both = documentOf({whole.path(), whole.path()});
  ASSERT_EQ(both.at("connections").size(), 2U);
  EXPECT_EQ(both.at("connections")[1].at("file"), 1);
  EXPECT_EQ(both.at("connections")[1].at("directions"), both.at("connections")[0].at("directions"));
}

// What is wrong with a file is said, and everything before it is used.

TEST(AnalyzeCommand, ExplainsItsExitCodeInOneLineOfStandardError) {
  const std::string whole = readFile(capture("composite-retransmissions.pcap"));
  const TemporaryFile cut(whole.substr(0, whole.size() / 2));
  const TemporaryFile noTcp(
      textOf(pcapFile({{WallTime::fromNanoseconds(1'000'000'000), ethernetFrame(0x0806, octets({1, 2, 3, 4}))}})));
  const TemporaryFile noPackets(textOf(pcapFile({})));
  struct Ending {
    std::vector<std::string> words;
    int code;
    const char* says;
  };
  for (const Ending& ending :
       {Ending{{cut.path()}, 4, "everything before it is used"}, Ending{{noTcp.path()}, 1, "no TCP connections in"},
        Ending{{noPackets.path()}, 1, "no TCP connections in"},
        Ending{{capture("fast-open.pcap"), "--", "dst", "203.0.113.1"}, 1, "the filter matches none"}}) {
    for (const bool asJson : {false, true}) {
      std::vector<std::string> words = ending.words;
      if (asJson) words.insert(words.begin(), "--json");
      const Outcome outcome = analyze(words);
      EXPECT_EQ(outcome.code, ending.code);
      EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
      EXPECT_NE(outcome.error.find(ending.says), std::string::npos) << outcome.error;
    }
  }
  EXPECT_EQ(analyze({capture("fast-open.pcap")}).error, "");
}

TEST(AnalyzeCommand, UsesWhatStandsBeforeACut) {
  const std::string whole = readFile(capture("composite-retransmissions.pcap"));
  const TemporaryFile cut(whole.substr(0, whole.size() / 2));
  const Outcome outcome = analyze({cut.path(), "--json"});
  EXPECT_EQ(outcome.code, 4);
  const json document = json::parse(outcome.out);
  EXPECT_GT(document.at("connections").size(), 0U);
  const json gap = document.at("gaps").at(0);
  EXPECT_EQ(gap.at("kind"), "cut");
  EXPECT_EQ(gap.at("offset_bytes"), whole.size() / 2);
  EXPECT_NE(analyze({cut.path()}).out.find("everything before it is used"), std::string::npos);
}

TEST(AnalyzeCommand, SaysWhatItsMemoryHadNoSpaceFor) {
  std::vector<RecordedFrame> frames;
  for (std::uint16_t port = 1; port <= 2000; ++port) {
    SegmentText segment;
    segment.source.port = port;
    segment.payloadBytes = 10;
    frames.push_back({WallTime() + std::chrono::milliseconds(port), ethernetFrame(ipPacket(segment))});
  }
  const TemporaryFile file(textOf(pcapFile(frames)));
  const Outcome outcome = analyze({file.path(), "--memory", "1MiB", "--json"});
  ASSERT_TRUE(conformsTo(captureSchema(), outcome.out));
  const json document = json::parse(outcome.out);
  const json gap = document.at("gaps").at(0);
  EXPECT_EQ(gap.at("kind"), "memory_limit");
  const std::size_t connections = document.at("connections").size();
  EXPECT_GT(connections, 100U);
  EXPECT_EQ(connections + gap.at("count").get<std::size_t>(), frames.size());
  EXPECT_NE(analyze({file.path(), "--memory", "1MiB"}).out.find("memory limit"), std::string::npos);
  EXPECT_EQ(documentOf({file.path()}).at("connections").size(), frames.size());
  EXPECT_EQ(analyze({file.path(), "--memory", "1"}).code, 2);
}

TEST(AnalyzeCommand, SaysInOneLineWhatAFileIsThatIsNoCapture) {
  const auto refused = [](const std::string& content, const std::string& words) {
    const TemporaryFile file(content);
    const Outcome outcome = analyze({file.path()});
    EXPECT_EQ(outcome.code, 4) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.error.find(words), std::string::npos) << outcome.error;
    EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1);
  };
  refused("", "is empty");
  refused("{\"a\": 1}\n", "JSON");
  refused("10:00:00.000000 IP 10.0.0.1.1 > 10.0.0.2.2: Flags [S]\n", "tcpdump -w");
  refused(std::string("\xfd"
                      "7zXZ\0\0",
                      7),
          "xz -dk");
  const Outcome missing = analyze({"/nonexistent/x.pcap"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.error.find("No such file"), std::string::npos);
  EXPECT_EQ(analyze({"/"}).code, 4);
}

TEST(AnalyzeCommand, GoesOnBehindAFileThatIsNoCapture) {
  const TemporaryFile text("no capture\n");
  const Outcome outcome = analyze({text.path(), capture("fast-retransmission.pcap"), "--json"});
  EXPECT_EQ(outcome.code, 4);
  const json document = json::parse(outcome.out);
  EXPECT_TRUE(conformsTo(captureSchema(), outcome.out));
  EXPECT_EQ(document.at("connections").size(), 1U);
  EXPECT_EQ(document.at("gaps").at(0).at("kind"), "other_format");
}

TEST(AnalyzeCommand, CountsWhatIsNoTcp) {
  const SegmentText segment;
  const TemporaryFile file(textOf(pcapFile(
      {{WallTime::fromNanoseconds(1'000'000'000), ethernetFrame(0x0806, octets({1, 2, 3, 4}))},
       {WallTime::fromNanoseconds(1'000'000'000), ethernetFrame(ipv4Packet(segment, udp(53, octets({1})), {17}))}})));
  const Outcome outcome = analyze({file.path()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("2 packets were not TCP."), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("No TCP connections."), std::string::npos);
}

// What of it is shown.

TEST(AnalyzeCommand, ShowsWhatTheFilterMatches) {
  const std::string file = capture("fast-open.pcap");
  const json all = documentOf({file}).at("connections");
  ASSERT_EQ(all.size(), 3U);
  const std::string opener = all[1].at("local").get<std::string>();
  const Outcome one = analyze({file, "--json", "--", "src", opener});
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(json::parse(one.out).at("connections").at(0), all[1]);
  const Outcome none = analyze({file, "--", "dst", "203.0.113.1"});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.out.find("No connection matches"), std::string::npos);
}

/// One after the other, to one server: each opens within 20 ms and is answered 30 ms later; the last one's first SYN is
/// lost.
std::vector<RecordedFrame> connectionsOpened(int count) {
  std::vector<RecordedFrame> frames;
  for (int index = 0; index < count; ++index) {
    SegmentText client;
    client.source.port = static_cast<std::uint16_t>(40'000 + index);
    SegmentText server;
    std::swap(server.source, server.destination);
    server.destination = client.source;
    const auto add = [&](int milliseconds, SegmentText& segment, std::uint8_t flags, std::size_t payload) {
      segment.flags = TcpFlags{flags};
      segment.payloadBytes = payload;
      frames.push_back(
          {WallTime() + std::chrono::milliseconds(5'000 * index + milliseconds + 1), ethernetFrame(ipPacket(segment))});
      segment.sequence += static_cast<std::uint32_t>(payload) + ((flags & 0x02U) != 0 ? 1U : 0U);
    };
    client.acknowledgment = 0;
    const bool isLast = index == count - 1;
    if (isLast) {
      add(0, client, 0x02, 0);
      client.sequence -= 1;
    }
    const int begin = isLast ? 1000 : 0;
    add(begin, client, 0x02, 0);
    server.acknowledgment = client.sequence;
    add(begin + 20, server, 0x12, 0);
    client.acknowledgment = server.sequence;
    add(begin + 20, client, 0x10, 0);
    add(begin + 20, client, 0x18, 100);
    server.acknowledgment = client.sequence;
    add(begin + 50, server, 0x18, 200);
  }
  return frames;
}

TEST(AnalyzeCommand, SaysHowLongConnectionsTookToOpen) {
  const TemporaryFile few(textOf(pcapFile(connectionsOpened(2))));
  const std::string text = analyze({few.path()}).out;
  EXPECT_NE(text.find("connected in 20.0 ms, first byte after 50.0 ms\n"), std::string::npos) << text;
  EXPECT_NE(text.find("connected in 1.02 s (SYN sent 2 times), first byte after 1.05 s\n"), std::string::npos) << text;

  const TemporaryFile many(textOf(pcapFile(connectionsOpened(12))));
  std::istringstream lines(analyze({many.path()}).out);
  std::string line;
  while (std::getline(lines, line) && line.find("DESTINATION") != 0) {
  }
  std::getline(lines, line);
  std::istringstream row(line);
  const std::vector<std::string> words{std::istream_iterator<std::string>(row), {}};
  EXPECT_EQ(words, (std::vector<std::string>{"198.51.100.7:443", "12", "1", "0", "0", "20", "ms", "470", "ms", "1.02",
                                             "s", "50", "ms", "500", "ms", "1.05", "s"}));
}

TEST(AnalyzeCommand, RefusesAFilterThatPacketsCannotAnswer) {
  const Outcome outcome = analyze({capture("fast-open.pcap"), "--", "process", "~", "nginx"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("a capture has no field 'process'"), std::string::npos) << outcome.error;
}

TEST(AnalyzeCommand, PrintsRetransmissionsWithTheirCauses) {
  const Outcome outcome = analyze({capture("composite-retransmissions.pcap")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  for (const char* words : {"handshake", "sends", "verdict", "retransmitted", "in recovery", "lost", "rtt", "window"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << "\n" << outcome.out;
  }
}

}  // namespace
}  // namespace tcpscope
