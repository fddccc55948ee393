// The file of a mesh, and its pairs, which are measured one after the other over loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>

#include "app/probe/mesh_measurement.h"
#include "app/probe/probe_listener.h"
#include "app/probe/probe_mesh_file.h"
#include "app/probe/probe_sender.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ProbeMeshFile, NamesAHostALine) {
  const auto hosts =
      parseProbeMesh("# the data centres\n ssh://ops@db1:2222 \r\n\ndb2:40123 # by hand\n[2001:db8::1]:7");
  ASSERT_TRUE(hosts) << hosts.error();
  ASSERT_EQ(hosts->size(), 3U);
  EXPECT_TRUE(hosts->at(0).isSsh);
  EXPECT_EQ(hosts->at(0).address, (SshAddress{"ops", "db1", "2222"}));
  EXPECT_FALSE(hosts->at(1).isSsh);
  EXPECT_EQ(hosts->at(1).name, "db2:40123");
  EXPECT_EQ(hosts->at(1).port(), 40123);
  EXPECT_EQ(hosts->at(2).address.host, "2001:db8::1");
}

struct WrongFile {
  const char* title;
  std::string text;
  const char* sentence;
};
void PrintTo(const WrongFile& wrong, std::ostream* out) {
  *out << wrong.title;
}

std::string manyHosts(std::size_t count) {
  std::string text;
  for (std::size_t host = 0; host < count; ++host) text += "ssh://db" + std::to_string(host) + "\n";
  return text;
}

class ProbeMeshFileThat : public testing::TestWithParam<WrongFile> {};

TEST_P(ProbeMeshFileThat, IsWrongNamesItsLine) {
  const auto hosts = parseProbeMesh(GetParam().text);
  ASSERT_FALSE(hosts);
  EXPECT_THAT(hosts.error(), HasSubstr(GetParam().sentence));
  EXPECT_THAT(hosts.error(), testing::Not(HasSubstr("\x1b")));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ProbeMeshFileThat,
    testing::Values(WrongFile{"empty", "", "it names no host"},
                    WrongFile{"onlyComments", "# a\n\n#b", "it names no host"},
                    WrongFile{"noPort", "ssh://a\n\ndb1\n", "line 3: 'db1' is no HOST:PORT"},
                    WrongFile{"anOption", "ssh://-oProxyCommand=x", "line 1: '-oProxyCommand=x' is not a host"},
                    WrongFile{"aNamespace", "ssh://db1/web", "line 1: 'db1/web' is a network namespace"},
                    WrongFile{"twoWords", "ssh://a ssh://b", "line 1: "},
                    WrongFile{"anEscapeSequence", "\x1b[2Jx:1", "line 1: "},
                    WrongFile{"twice", "ssh://a\nb:1\nssh://a", "line 3: ssh://a is already on line 1"},
                    WrongFile{"tooMany", manyHosts(17), "line 17: more than 16 hosts"},
                    WrongFile{"zeros", std::string(3, '\0'), "line 1: "},
                    WrongFile{"tooLong", std::string(kMostMeshFileBytes + 1, '\n'), "more than 65536 bytes"}),
    [](const auto& row) { return row.param.title; });

TEST(ProbeMeshFile, HasNoMoreThanSixteenHosts) {
  EXPECT_TRUE(parseProbeMesh(manyHosts(16)));
}

TEST(ProbeMeshFile, IsARegularFile) {
  EXPECT_EQ(readProbeMesh("/").error(), "it is no regular file");
  EXPECT_EQ(readProbeMesh("/dev/zero").error(), "it is no regular file");
  EXPECT_THAT(readProbeMesh("/nonexistent/mesh").error(), HasSubstr("No such file"));
}

TEST(ProbeMesh, SendsFromHereAndFromEachHostBehindSsh) {
  const std::vector<ProbeMeshHost> hosts = {{"ssh://a", true}, {"b:1", false}, {"ssh://c", true}};
  using Pair = ProbeMeshPair;
  EXPECT_THAT(pairsOf(hosts), ElementsAre(Pair{std::nullopt, 0}, Pair{std::nullopt, 1}, Pair{std::nullopt, 2},
                                          Pair{0, 1}, Pair{0, 2}, Pair{2, 0}, Pair{2, 1}));
}

TEST(ProbeMesh, GoesOnAfterAPairThatFails) {
  int running = 0;
  std::vector<std::size_t> order;
  MeshMeans means;
  means.now = [] { return WallTime(); };
  means.isInterrupted = [&] { return order.size() == 3; };
  means.measure = [&](const ProbeMeshPair& pair) -> Expected<ProbeAnalysis, std::string> {
    EXPECT_EQ(running++, 0);
    order.push_back(pair.to);
    --running;
    if (pair.to == 1) return Unexpected<std::string>("b cannot be reached");
    return ProbeAnalysis();
  };
  const ProbeMesh mesh = measureMesh({{"ssh://a", true}, {"b:1", false}, {"c:1", false}}, means);
  EXPECT_THAT(order, ElementsAre(0U, 1U, 2U));
  ASSERT_EQ(mesh.results.size(), 5U);
  EXPECT_TRUE(mesh.results[0].measured);
  EXPECT_EQ(mesh.results[1].measured.error(), "b cannot be reached");
  EXPECT_TRUE(mesh.results[2].measured);
  EXPECT_EQ(mesh.results[3].measured.error(), "interrupted");
  EXPECT_EQ(mesh.results[4].measured.error(), "interrupted");
}

TEST(ProbeMesh, MeasuresListenersOneAfterTheOther) {
  std::vector<ProbeListener> listeners;
  std::vector<ProbeMeshHost> hosts;
  for (int host = 0; host < 2; ++host) {
    auto listener = ProbeListener::open(0, -1);
    ASSERT_TRUE(listener);
    hosts.push_back({"127.0.0.1:" + std::to_string(listener->port()), false});
    listeners.push_back(std::move(*listener));
  }
  MeshMeans means;
  means.now = [] { return WallTime(); };
  means.isInterrupted = [] { return false; };
  means.measure = [&](const ProbeMeshPair& pair) -> Expected<ProbeAnalysis, std::string> {
    ProbeListener& listener = listeners[pair.to];
    auto served = std::async(std::launch::async, [&] { return listener.serveOne(); });
    auto sender = ProbeSender::connect({IpAddress::v4({127, 0, 0, 1}), listener.port()}, -1);
    if (!sender) return Unexpected<std::string>("unreachable");
    std::array<ProbeRun, 2> runs;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      auto measured = sender->run({kProbePacketSizes[run], 20, Milliseconds(1)});
      if (!measured) return Unexpected<std::string>("lost");
      runs[run] = std::move(*measured);
    }
    sender->finish();
    EXPECT_TRUE(served.get());
    return analyzeProbe(runs);
  };
  const ProbeMesh mesh = measureMesh(hosts, means);
  ASSERT_EQ(mesh.results.size(), 2U);
  for (const ProbeMeshResult& result : mesh.results) {
    ASSERT_TRUE(result.measured) << result.measured.error();
    EXPECT_EQ(result.measured->runs[0].sentPackets, 20U);
    EXPECT_EQ(result.measured->runs[1].lostPackets, 0U);
  }
}

}  // namespace
}  // namespace tcpscope
