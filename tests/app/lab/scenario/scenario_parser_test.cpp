#include "app/lab/scenario/scenario_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/lab/scenario/scenario_writer.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Kind = ScenarioError::Kind;

constexpr std::string_view kSmall = R"(name = small
title = The smallest there is

[host a]
side = left

[host b]
side = right

[traffic main]
from = a
to = b
)";

Scenario read(std::string_view text, std::span<const Assignment> changes = {}) {
  auto scenario = parseScenario(text, changes);
  EXPECT_TRUE(scenario) << (scenario ? "" : sentence(scenario.error()));
  return scenario.value_or(Scenario());
}

std::string with(std::string_view more) {
  return std::string(kSmall) + std::string(more);
}

TEST(ScenarioParser, ReadsAPathInBothDirectionsAndInOne) {
  const Scenario scenario = read(with(R"(
[path]
rate = 100 Mbit/s
delay = 12.5 ms
queue = 250 kB

[path.backward]
rate = 10Mbit/s
loss = 0.5 %
)"));
  const DuplexSettings& path = scenario.path.path;
  EXPECT_EQ(path.forward.rate, BitsPerSecond(100e6));
  EXPECT_EQ(path.backward.rate, BitsPerSecond(10e6));
  EXPECT_EQ(path.forward.delay, 12'500us);
  EXPECT_EQ(path.backward.delay, 12'500us);
  EXPECT_EQ(path.forward.queue.limit, Bytes(250'000));
  EXPECT_EQ(path.forward.loss, LossSettings());
  EXPECT_EQ(path.backward.loss, LossSettings(BernoulliLoss{0.005}));
}

TEST(ScenarioParser, ReadsHostsWithTheirLinksAndSystemSettings) {
  const Scenario scenario = read(with(R"(
[host c]
side = right
mtu = 9000 B
cwnd_lock = 20
initcwnd = 30
net.ipv4.tcp_rmem = 4096 16384 65536

[access c]
rate = 1 Gbit/s
)"));
  ASSERT_THAT(scenario.hosts, SizeIs(3));
  ASSERT_THAT(scenario.path.hosts, SizeIs(3));
  EXPECT_EQ(scenario.path.hosts[0].side, PathSide::left);
  EXPECT_EQ(scenario.path.hosts[2].name, "c");
  EXPECT_EQ(scenario.path.hosts[2].side, PathSide::right);
  EXPECT_EQ(scenario.path.hosts[2].access.backward.rate, BitsPerSecond(1e9));
  EXPECT_EQ(scenario.hosts[2].mtu, Bytes(9000));
  EXPECT_EQ(scenario.hosts[2].congestionWindowClamp, Segments(20));
  EXPECT_EQ(scenario.hosts[2].initialCongestionWindow, Segments(30));
  EXPECT_EQ(scenario.hosts[2].sysctls.at("net.ipv4.tcp_rmem"), "4096 16384 65536");
}

TEST(ScenarioParser, JoinsContinuedLinesAndSkipsComments) {
  const Scenario scenario =
      read(with("# nothing\n\n[truth]\ntraffic = main\nlimit = receiver\n"
                "findings = buffer_locked,\n  network_loss\n"));
  ASSERT_TRUE(scenario.truth);
  EXPECT_THAT(scenario.truth->findings, ElementsAre("buffer_locked", "network_loss"));
}

TEST(ScenarioParser, ChangesComeAfterTheText) {
  const std::string text = with("[path.forward]\ndelay = 1 ms\n");
  const std::vector<Assignment> changes = {{"path.delay", "25ms"}, {"traffic.main.streams", "4"}, {"duration", "3 s"}};
  const Scenario scenario = read(text, changes);
  EXPECT_EQ(scenario.path.path.forward.delay, 25ms);
  EXPECT_EQ(scenario.path.path.backward.delay, 25ms);
  EXPECT_EQ(scenario.traffic[0].streams, 4U);
  EXPECT_EQ(scenario.duration, 3s);
}

constexpr std::string_view kGrid = R"(
[truth]
traffic = main
limit = network

[variant buffers small]
traffic.main.send_buffer = 16 KiB
traffic.main.receive_buffer = 16 KiB

[variant buffers large]
traffic.main.send_buffer = 4 MiB

[sweep]
path.delay = 5 ms, 50 ms
buffers = small, large
)";

TEST(ScenarioParser, AGridIsEveryCombinationAndHasNoTruth) {
  const Scenario scenario = read(with(kGrid));
  EXPECT_FALSE(scenario.truth);
  const auto cells = sweepCells(scenario);
  ASSERT_THAT(cells, SizeIs(4));
  EXPECT_THAT(cells[1], ElementsAre(Assignment{"path.delay", "5 ms"}, Assignment{"buffers", "large"}));
  const auto last = cellOf(scenario, cells[2]);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->path.path.forward.delay, 50ms);
  EXPECT_EQ(last->traffic[0].receiveBuffer, Bytes(16'384));
  EXPECT_TRUE(last->sweep.empty());
  EXPECT_TRUE(last->variants.empty());
}

TEST(ScenarioParser, WithoutAGridThereIsOneCell) {
  EXPECT_THAT(sweepCells(read(kSmall)), ElementsAre(testing::IsEmpty()));
}

TEST(ScenarioParser, OneValueForWhatAGridVariesLeavesThatValueAlone) {
  const std::string text = std::string(kSmall) + "[sweep]\npath.delay = 5 ms, 25 ms\n";
  const std::vector<Assignment> changes = {{"path.delay", "50 ms"}};
  const auto scenario = parseScenario(text, changes);
  ASSERT_TRUE(scenario);
  EXPECT_THAT(sweepCells(*scenario), ElementsAre(ElementsAre(Assignment{"path.delay", "50 ms"})));
}

TEST(ScenarioWriter, ComesBackTheSame) {
  const Scenario scenario = read(with(std::string(kGrid) + R"(
[path]
jitter = 300 us
queue_discipline = red
red_minimum = 10 kB
red_marks_ecn = yes
burst_begins = 0.1 %
burst_ends = 30 %
mtu = 1400 B
breaks_after = 4 s

[access a.forward]
rate = 1500 kbit/s
loss_packets = 7, 8, 40

[host c]
cwnd_lock = 20
initcwnd = 30

[traffic clamped]
from = a
to = c
late_window_clamp = 24 kB
starved_reader = yes
requests_in_flight = 4
writes_per_request = 2
answer_time = 20 ms
no_delay = yes
)"));
  const std::string text = writeScenario(scenario);
  const Scenario again = read(text);
  EXPECT_EQ(again.path, scenario.path);
  EXPECT_EQ(writeScenario(again), text);
}

struct WrongScenario {
  std::string_view more;
  Kind kind;
  /// Counted from the first line of `more`; 0 where the error is about no line.
  std::size_t line;
  std::string_view allowed;
};

constexpr WrongScenario kWrong[] = {
    {"[path]\nrate = fast\n", Kind::badValue, 2, "100 Mbit/s"},
    {"[path]\nrate = 10 Mb\n", Kind::badValue, 2, "100 Mbit/s"},
    {"[path]\ndelay = -1 ms\n", Kind::badValue, 2, "25 ms"},
    {"[path]\ndelay = 2 h\n", Kind::badValue, 2, "25 ms"},
    {"[path]\nloss = 150 %\n", Kind::badValue, 2, "a share"},
    {"[path]\nloss_packets = 4, 3\n", Kind::badValue, 2, "rising"},
    {"[path]\nspeed = 1 Mbit/s\n", Kind::unknownKey, 2, "rate, delay"},
    {"[path]\nrate = 1 Mbit/s\nrate = 2 Mbit/s\n", Kind::duplicateKey, 3, "once"},
    {"[path.sideways]\n", Kind::unknownSection, 1, "[path.forward]"},
    {"[road]\n", Kind::unknownSection, 1, "[traffic NAME]"},
    {"[path\n", Kind::badLine, 1, "]"},
    {"what is this\n", Kind::badLine, 1, "delay = 10 ms"},
    {"[host d e]\n", Kind::badValue, 1, "letters"},
    {"[access d]\nrate = 1 Mbit/s\n", Kind::unknownName, 1, "a or b"},
    {"[host d]\nkernel.core_pattern = x\n", Kind::unknownKey, 2, "net.ipv4"},
    {"[host d]\nnet..core = x\n", Kind::unknownKey, 2, "net.ipv4"},
    {"[host d]\ncwnd_lock = 0\n", Kind::badValue, 2, "from 1 to"},
    {"[host d]\nside = top\n", Kind::badValue, 2, "left or right"},
    {"[traffic more]\nfrom = a\n", Kind::missing, 0, "host"},
    {"[traffic more]\nfrom = a\nto = absent\n", Kind::unknownName, 0, "[host NAME]"},
    {"[traffic more]\nfrom = a\nto = a\n", Kind::unknownName, 0, "other"},
    {"[traffic more]\nfrom = a\nto = b\nkind = paced\n", Kind::missing, 0, "rate"},
    {"[truth]\ntraffic = main\nlimit = fate\n", Kind::badValue, 3, "receiver, send_buffer"},
    {"[truth]\ntraffic = main\ncause = bad_luck\n", Kind::badValue, 3, "path_full"},
    {"[truth]\ntraffic = main\nlimit = network\nfindings = gossip\n", Kind::badValue, 4, "network_loss"},
    {"[truth]\ntraffic = other\nlimit = network\n", Kind::unknownName, 0, "[traffic NAME]"},
    {"[sweep]\npath.delay = 1 ms, soon\n", Kind::badValue, 0, "25 ms"},
    {"[sweep]\nbuffers = small\n", Kind::unknownKey, 0, "path.delay"},
    {"[variant name x]\n", Kind::badValue, 1, "axis"},
    {"[variant x y]\nduration = 3 s\n", Kind::unknownKey, 2, "traffic"},
};

TEST(ScenarioParser, SaysWhereAMistakeIsAndWhatIsAllowed) {
  const auto before = static_cast<std::size_t>(std::count(kSmall.begin(), kSmall.end(), '\n'));
  for (const WrongScenario& wrong : kWrong) {
    const auto scenario = parseScenario(with(wrong.more));
    ASSERT_FALSE(scenario) << wrong.more;
    EXPECT_EQ(static_cast<int>(scenario.error().kind), static_cast<int>(wrong.kind)) << wrong.more;
    EXPECT_EQ(scenario.error().line, wrong.line == 0 ? 0 : before + wrong.line) << wrong.more;
    EXPECT_THAT(scenario.error().allowed, HasSubstr(std::string(wrong.allowed))) << wrong.more;
  }
}

TEST(ScenarioParser, SaysWhatIsMissing) {
  const auto scenario = parseScenario("title = x\n");
  ASSERT_FALSE(scenario);
  EXPECT_EQ(sentence(scenario.error()), "scenario: \"name\": missing; allowed: the name of the scenario");
}

TEST(ScenarioParser, ReportsAnErrorInOneLine) {
  const auto scenario = parseScenario(with("[path]\nrate = fast\n"));
  ASSERT_FALSE(scenario);
  EXPECT_EQ(sentence(scenario.error()),
            "scenario, line 14: \"path.rate = fast\": invalid value; allowed: a rate such as 100 "
            "Mbit/s, from 1 kbit/s to 100 Gbit/s");
}

TEST(ScenarioParser, BoundsWhatItTakes) {
  EXPECT_FALSE(parseScenario(std::string(70'000, '#')));
  EXPECT_FALSE(parseScenario(std::string(3'000, '\n')));
  std::string values = "[sweep]\n";
  for (const char* key : {"path.delay", "path.jitter", "path.reordering_delay"}) {
    values += std::string(key) + " = 1 ms";
    for (int number = 2; number <= 30; ++number) values += ", " + std::to_string(number) + " ms";
    values += '\n';
  }
  const auto scenario = parseScenario(with(values));
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().kind, Kind::tooLong);
}

}  // namespace
}  // namespace tcpscope::lab
