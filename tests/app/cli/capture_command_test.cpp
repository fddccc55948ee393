#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>

#include "tests/support/built_paths.h"
#include "tests/support/endless_transfer.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using ::testing::HasSubstr;

test::Outcome cli(std::vector<std::string> words) {
  return test::runProgram(test::commandLineProgram(), std::move(words));
}

TEST(CaptureCommand, WritesWhatAnalyzeReads) {
  const test::TemporaryFile temporary("");
  const std::string file = temporary.path();
  const test::LoopbackListener listener;
  const std::string port = std::to_string(listener.port());
  auto capture = std::async(std::launch::async, [&] {
    return cli({"capture", "-i", "lo", "--for", "1", "-o", file, "--", "tcp", "port", port});
  });
  // Until the capture ends: it may begin late.
  while (capture.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    const auto [client, server] = listener.connect();
    ASSERT_EQ(write(client.number(), "hello", 5), 5);
  }
  const test::Outcome captured = capture.get();
  if (captured.code == 3) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  ASSERT_EQ(captured.code, 0) << captured.error;
  EXPECT_THAT(captured.error, HasSubstr("0 dropped"));
  const test::Outcome analysed = cli({"analyze", file, "--json"});
  ASSERT_EQ(analysed.code, 0) << analysed.error;
  const auto document = nlohmann::json::parse(analysed.out);
  ASSERT_FALSE(document["connections"].empty());
  const auto& last = document["connections"].back();
  EXPECT_THAT(last["remote"].get<std::string>(), HasSubstr(":" + port));
}

TEST(CaptureCommand, CapturesInTheNetworkNamespaceThatIsNamed) {
  const test::TemporaryFile temporary("");
  const std::string file = temporary.path();
  const test::NamespaceProcess other([] {
    test::enterOwnNamespace();
    return test::hasOwnNamespace() ? std::make_unique<test::EndlessTransfer>() : nullptr;
  });
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  const test::Outcome captured = cli({"capture", "--netns", other.pid(), "--for", "1", "-o", file, "--", "tcp"});
  ASSERT_EQ(captured.code, 0) << captured.error;
  EXPECT_THAT(captured.error, HasSubstr("0 dropped"));
  const test::Outcome analysed = cli({"analyze", file, "--json"});
  ASSERT_EQ(analysed.code, 0) << analysed.error;
  EXPECT_EQ(nlohmann::json::parse(analysed.out)["connections"].size(), 1U);
}

TEST(CaptureCommand, SaysThatThereIsNoSuchNetworkNamespace) {
  const test::TemporaryFile temporary("");
  const test::Outcome outcome = cli({"capture", "--netns", "nowhere7", "-o", temporary.path()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("nowhere7"));
}

TEST(RecordCommand, WritesPacketsBesideTheRecording) {
  const test::TemporaryFile temporary("");
  const std::string file = temporary.path();
  const test::LoopbackListener listener;
  const std::string filter = "tcp port " + std::to_string(listener.port());
  auto record = std::async(std::launch::async, [&] {
    return cli({"record", "--for", "1", "-o", file, "--packets", filter});
  });
  while (record.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    const auto [client, server] = listener.connect();
    ASSERT_EQ(write(client.number(), "hello", 5), 5);
  }
  const test::Outcome recorded = record.get();
  if (recorded.code == 3) GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  ASSERT_EQ(recorded.code, 0) << recorded.error;
  EXPECT_THAT(recorded.out, HasSubstr("packet headers in"));
  const std::string packets = file + ".packets.pcapng";
  const test::Outcome analysed = cli({"analyze", packets, "--json"});
  ASSERT_EQ(analysed.code, 0) << analysed.error;
  EXPECT_FALSE(nlohmann::json::parse(analysed.out)["connections"].empty());
  std::remove(packets.c_str());
}

TEST(RecordCommand, RefusesPacketsWithoutAFileOrAFilter) {
  EXPECT_EQ(cli({"record", "--for", "1", "-o", "-", "--packets", "tcp"}).code, 2);
  const test::TemporaryFile temporary("kept");
  const test::Outcome outcome = cli({"record", "--for", "1", "-o", temporary.path(), "--packets", "port of call"});
  EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << outcome.error;
}

TEST(CaptureCommand, AFailedCaptureLeavesAnExistingFileUnchanged) {
  const test::TemporaryFile temporary("kept");
  const std::string file = temporary.path();
  const test::Outcome outcome = cli({"capture", "-i", "nowhere7", "-o", file});
  EXPECT_NE(outcome.code, 0);
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace tcpscope
