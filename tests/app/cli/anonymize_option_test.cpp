// `--anonymize`: nothing that names a host, a program or a user is in what is written.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "collectors/host/place_reader.h"
#include "collectors/trace/recording_file.h"
#include "collectors/trace/wire_bytes.h"
#include "tests/support/built_paths.h"
#include "tests/support/network_host.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// Of a transfer between 10.77.0.1 and 10.77.0.2.
std::string laboratoryRecording() {
  return (test::testData() / "recordings/web100_mistuned-server.tcpscope").lexically_normal();
}

std::string contentOf(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

/// All frames of a recording, unpacked.
std::string framesOf(const fs::path& path) {
  std::string frames;
  const auto file = RecordingFile::open(path);
  if (!file) return frames;
  for (auto bytes = (*file)->next(); !bytes.empty(); bytes = (*file)->next()) {
    frames.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return frames;
}

/// As a recording holds it, with its length: two letters alone are in any thousand bytes.
std::string asRecorded(const std::string& text) {
  std::vector<std::byte> bytes;
  WireWriter(bytes).text(text);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class AnonymizeOption : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tcpscope-anonymize-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override { fs::remove_all(m_folder); }

  [[nodiscard]] std::string file(const std::string& name) const { return (m_folder / name).string(); }

  fs::path m_folder;
};

TEST_F(AnonymizeOption, HidesNamesInEveryFormOfList) {
  for (const std::string form : {"--json", "--color=never"}) {
    const std::vector<std::string> words = {"list", form, "--from", laboratoryRecording()};
    std::vector<std::string> hiding = words;
    hiding.emplace_back("--anonymize");
    EXPECT_THAT(test::runCommandLine(words).out, HasSubstr("10.77.0."));
    const test::Outcome hidden = test::runCommandLine(hiding);
    ASSERT_EQ(hidden.code, 0) << hidden.error;
    EXPECT_EQ(hidden.out.find("10.77.0."), std::string::npos) << hidden.out;
    EXPECT_THAT(hidden.out, HasSubstr("192.0.2."));
    EXPECT_EQ(hidden.out.find("main-send"), std::string::npos) << hidden.out;
  }
}

TEST_F(AnonymizeOption, HidesWhatNamesThisHostInAList) {
  const test::Outcome outcome = test::runCommandLine({"list", "--json", "--anonymize"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const Place here = readPlace(PlaceId{0});
  const json place = json::parse(outcome.out).at("places").at(0);
  EXPECT_EQ(place.at("host"), "host-1");
  EXPECT_EQ(outcome.out.find(here.bootId), std::string::npos);
  EXPECT_EQ(outcome.out.find(here.kernel.rawBytes()), std::string::npos);
}

TEST_F(AnonymizeOption, HidesNamesInAnExport) {
  std::vector<std::string> words = {"export", "--series",           "rtt_us", "-o", file("plain.csv"),
                                    "--from", laboratoryRecording()};
  ASSERT_EQ(test::runCommandLine(words).code, 0);
  words[4] = file("hidden.csv");
  words.emplace_back("--anonymize");
  ASSERT_EQ(test::runCommandLine(words).code, 0);
  const std::string plain = contentOf(file("plain.csv"));
  const std::string hidden = contentOf(file("hidden.csv"));
  EXPECT_THAT(plain, HasSubstr("10.77.0."));
  EXPECT_EQ(hidden.find("10.77.0."), std::string::npos);
  EXPECT_THAT(hidden, HasSubstr("192.0.2.1:"));
  EXPECT_EQ(std::count(plain.begin(), plain.end(), '\n'), std::count(hidden.begin(), hidden.end(), '\n'));
}

/// In the host: a connection of it to itself, announced on `ready`.
void connectToSelf(const std::string& address, int ready) {
  const int control = socket(AF_INET, SOCK_DGRAM, 0);
  ifreq loopback{};
  std::strncpy(loopback.ifr_name, "lo", IFNAMSIZ - 1);
  loopback.ifr_flags = IFF_UP;
  ioctl(control, SIOCSIFFLAGS, &loopback);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  inet_pton(AF_INET, address.c_str(), &name.sin_addr);
  socklen_t size = sizeof name;
  auto* generic = reinterpret_cast<sockaddr*>(&name);
  const bool isListening =
      bind(listener, generic, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, generic, &size) == 0;
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  const bool isConnected = isListening && connect(client, generic, size) == 0;
  if (write(ready, isConnected ? "y" : "n", 1) == 1) pause();
}

TEST_F(AnonymizeOption, WritesNoNamesIntoARecording) {
  const std::string address = "10.77.0.9";
  const auto host = test::NetworkHost::make({address, 1500, {}});
  if (!host) GTEST_SKIP() << "this machine gives no network namespace: " << host.error();
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  (*host)->start([&] { connectToSelf(address, ends[1]); });
  char isConnected = 'n';
  ASSERT_EQ(read(ends[0], &isConnected, 1), 1);
  ASSERT_EQ(isConnected, 'y');
  for (const int end : ends) close(end);

  const std::vector<std::string> words = {"record", "--for", "1", "--netns", std::to_string((*host)->pid()), "-o"};
  const auto recorded = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.push_back(file(name));
    all.insert(all.end(), more.begin(), more.end());
    const test::Outcome outcome = test::runCommandLine(all);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    return framesOf(file(name));
  };
  const std::string plain = recorded("plain.tcpscope", {});
  const std::string hidden = recorded("hidden.tcpscope", {"--anonymize"});
  const Place here = readPlace(PlaceId{0});
  for (const std::string& identifying : {std::string("\x0a\x4d\x00\x09", 4), asRecorded(here.host.rawBytes()),
                                         here.bootId, here.kernel.rawBytes(), std::string("app_cli_tests")}) {
    EXPECT_NE(plain.find(identifying), std::string::npos) << "not what a recording holds: " << identifying;
    EXPECT_EQ(hidden.find(identifying), std::string::npos) << identifying;
  }
  const test::Outcome list = test::runCommandLine({"list", "--json", "--from", file("hidden.tcpscope")});
  ASSERT_EQ(list.code, 0) << list.error;
  const json connections = json::parse(list.out).at("connections");
  ASSERT_EQ(connections.size(), 2U);
  EXPECT_EQ(connections[0].at("local"), connections[1].at("remote"));
  EXPECT_THAT(connections[0].at("local").get<std::string>(), testing::StartsWith("192.0.2."));
  // The other end was never accepted, and so no process holds it.
  const json& owned = connections[connections[0].contains("process") ? 0 : 1];
  EXPECT_EQ(owned.at("process").at("name"), "program-1");
}

}  // namespace
}  // namespace tcpscope
