// Changes through the desktop: with the real command line on a host of the lab, and step by step with scripted results.
#include "app/desktop/host_changer.h"
#include "app/desktop/command_process.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <deque>

#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/app/changes/changed_host.h"
#include "tests/app/changes/service/fake_authority.h"
#include "tests/app/desktop/change_settled.h"
#include "tests/support/own_namespace.h"
#include "tests/support/own_state_folder.h"

namespace tcpscope {
namespace {

using test::comesTrue;
using test::settled;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Phase = HostChangePhase;

constexpr std::string_view kKey = "net.ipv4.tcp_rmem";

HostChangeRequest requestAt(const Place& place) {
  return {place, SettingKind::sysctl, {{SettingKind::sysctl, kKey, std::nullopt, "4096 131072 6291456"}}};
}

/// Answers in turn, and remembers what was run.
struct ScriptedCommands {
  std::deque<CommandResult> answers;
  std::vector<std::vector<std::string>> runs;
  Moment now = monotonicNow();

  HostChangerParts parts() {
    return {{"tcpscope-cli",
             [this](const std::vector<std::string>& words, const std::stop_token&) {
               const bool looksForSudo = words.front() == "sudo" && words.back() == "true";
               if (looksForSudo) return CommandResult{0, {}, {}};
               runs.push_back(words);
               if (answers.empty()) return CommandResult{5, {}, "no answer is left"};
               CommandResult answer = answers.front();
               answers.pop_front();
               return answer;
             },
             {},
             {},
             // No such program has to lie here.
             [](const std::string& program) -> Expected<std::string, std::string> { return program; }},
            [this] { return now; }};
  }
};

const CommandResult kPreviewed{0,
                               R"({"schema": "tcpscope.changes", "preview": [{"key": "net.ipv4.tcp_rmem",
    "now": "4096 131072 131072", "wanted": "4096 131072 6291456", "verdict": "changes", "notes": []}]})",
                               {}};
const CommandResult kApplied{0,
                             R"({"schema": "tcpscope.changes", "changes": [{"id": 3, "settings": [
    {"key": "net.ipv4.tcp_rmem", "original": "4096 131072 131072", "wanted": "4096 131072 6291456"}]}]})",
                             {}};

TEST(HostChanger, ChangesNothingThatWasNotShown) {
  ScriptedCommands commands;
  HostChanger changer(commands.parts());
  changer.apply(false);
  changer.keep();
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::none);
  EXPECT_THAT(commands.runs, IsEmpty());
}

TEST(HostChanger, AppliesWhatWasShownOnlyIfItStillIsSo) {
  ScriptedCommands commands;
  commands.answers = {kPreviewed, kApplied};
  HostChanger changer(commands.parts());
  changer.preview(requestAt(readPlace(PlaceId{0})));
  ASSERT_EQ(settled(changer).phase, Phase::previewed);
  EXPECT_TRUE(changer.state().canPersist);
  changer.apply(true);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::inForce);
  EXPECT_EQ(state.undoneIn, Milliseconds(60'000));
  EXPECT_THAT(commands.runs.back(), Contains("net.ipv4.tcp_rmem=4096 131072 131072")) << "--expect";
  EXPECT_THAT(commands.runs.back(), Contains("--persist"));
  EXPECT_THAT(commands.runs.back(), Contains("--revert-after"));
}

TEST(HostChanger, KeepsAndStillUndoes) {
  ScriptedCommands commands;
  commands.answers = {kPreviewed, kApplied, kApplied, kApplied};
  HostChanger changer(commands.parts());
  changer.preview(requestAt(readPlace(PlaceId{0})));
  settled(changer);
  changer.apply(false);
  settled(changer);
  changer.keep();
  EXPECT_EQ(settled(changer).phase, Phase::kept);
  EXPECT_FALSE(changer.state().undoneIn);
  EXPECT_THAT(commands.runs.back(), Contains("confirm"));
  EXPECT_THAT(commands.runs.back(), Contains("3"));
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_THAT(commands.runs.back(), Contains("revert"));
}

TEST(HostChanger, StaysWhereItWasWhenAStepFails) {
  ScriptedCommands commands;
  commands.answers = {kPreviewed, {6, {}, "net.ipv4.tcp_rmem is not what it was when it was looked at.\n"}};
  HostChanger changer(commands.parts());
  changer.preview(requestAt(readPlace(PlaceId{0})));
  settled(changer);
  changer.apply(false);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed);
  EXPECT_EQ(state.notice, "net.ipv4.tcp_rmem is not what it was when it was looked at.");
}

TEST(HostChanger, LearnsThatAnUnconfirmedChangeWasReverted) {
  ScriptedCommands commands;
  commands.answers = {kPreviewed, kApplied, kPreviewed};
  HostChanger changer(commands.parts());
  changer.preview(requestAt(readPlace(PlaceId{0})));
  settled(changer);
  changer.apply(false);
  ASSERT_EQ(settled(changer).phase, Phase::inForce);
  commands.now = commands.now + std::chrono::seconds(63);
  EXPECT_EQ(changer.state().undoneIn, Milliseconds(0));
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::undone);
  EXPECT_THAT(state.notice, HasSubstr("was not confirmed in time"));
}

TEST(HostChanger, TunesOneConnectionByItsEnds) {
  ScriptedCommands commands;
  const CommandResult shown{0, R"({"schema": "tcpscope.tune", "options": []})", {}};
  commands.answers = {shown, shown, shown, shown};
  HostChanger changer(commands.parts());
  const auto end = [](std::uint16_t port) { return Endpoint{IpAddress::v4({127, 0, 0, 1}), port}; };
  changer.preview({readPlace(PlaceId{0}),
                   SettingKind::socketOption,
                   {{SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"}},
                   end(1),
                   end(2)});
  settled(changer);
  EXPECT_THAT(commands.runs.back(), ElementsAre("tcpscope-cli", "tune", "127.0.0.1:1-127.0.0.1:2", "--show", "--json"));
  EXPECT_FALSE(changer.state().canPersist);
  changer.apply(false);
  EXPECT_EQ(settled(changer).undoneIn, Milliseconds(60'000));
  EXPECT_THAT(commands.runs.back(), ElementsAre("tcpscope-cli", "tune", "127.0.0.1:1-127.0.0.1:2", "--json",
                                                "--revert-after", "60", "SO_BUF_LOCK=0"));
  changer.keep();
  EXPECT_EQ(settled(changer).phase, Phase::kept);
  EXPECT_FALSE(changer.state().undoneIn);
  EXPECT_THAT(commands.runs.back(),
              ElementsAre("tcpscope-cli", "tune", "127.0.0.1:1-127.0.0.1:2", "--confirm", "--json"));
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_THAT(commands.runs.back(), Contains("--undo"));
}

TEST(HostChanger, LearnsThatAnUnconfirmedOptionWasReverted) {
  const auto shownWith = [](const char* value) {
    return CommandResult{0,
                         std::string(R"({"schema": "tcpscope.tune", "options": [{"name": "TCP_NODELAY", "value": )") +
                             value + R"(, "text": "Nagle"}], "changes": [{"name": "TCP_NODELAY", "after": true}]})",
                         {}};
  };
  ScriptedCommands commands;
  for (const char* const atTheEnd : {"false", "true"}) {
    commands.answers = {shownWith("false"), shownWith("true"), shownWith(atTheEnd)};
    HostChanger changer(commands.parts());
    changer.preview(
        {readPlace(PlaceId{0}), SettingKind::socketOption, {{SettingKind::socketOption, "TCP_NODELAY", "0", "1"}}});
    settled(changer);
    changer.apply(false);
    ASSERT_EQ(settled(changer).phase, Phase::inForce);
    commands.now = commands.now + std::chrono::seconds(63);
    const bool isReverted = std::string_view(atTheEnd) == "false";
    const HostChangeState state = settled(changer);
    EXPECT_EQ(state.phase, isReverted ? Phase::undone : Phase::inForce);
    EXPECT_EQ(state.notice.empty(), !isReverted) << "another program may have confirmed it";
  }
}

TEST(CommandLineTransport, AsksForRightsOnlyForTheProgramsOfOtherUsers) {
  ScriptedCommands commands;
  const CommandResult denied{3, {}, "the right to look into the process is missing"};
  const CommandResult done{0, "{}", {}};
  commands.answers = {done, denied, done, done};
  ChangeRequest request;
  request.kind = ChangeKind::socketOption;
  const ChangeRoute route{{"pkexec"}, "tcpscope-cli", {}};
  const RunCommand run = commands.parts().transport.run;
  EXPECT_FALSE(commandLineTransport(route, run)->preview(request, {})) << "no document";
  EXPECT_EQ(commands.runs.back().front(), "tcpscope-cli");
  const ChangeTransportPointer transport = commandLineTransport(route, run);
  EXPECT_FALSE(transport->preview(request, {}));
  EXPECT_EQ(commands.runs.back().front(), "pkexec");
  EXPECT_FALSE(transport->revert(request, 0, {}));
  EXPECT_EQ(commands.runs.back().front(), "pkexec") << "root keeps the originals";
  EXPECT_EQ(commands.runs.size(), 4U);
}

TEST(HostChanger, SaysThatAnotherHostIsChangedThere) {
  ScriptedCommands commands;
  HostChanger changer(commands.parts());
  Place elsewhere = readPlace(PlaceId{0});
  elsewhere.bootId = "another";
  elsewhere.host = UntrustedText("backup.example");
  changer.preview(requestAt(elsewhere));
  const HostChangeState state = settled(changer);
  EXPECT_FALSE(state.canApply);
  EXPECT_THAT(state.notice, HasSubstr("ssh backup.example"));
  EXPECT_THAT(commands.runs, IsEmpty());
}

TEST(HostChanger, SaysThatTheCommandLineCannotBeStarted) {
  HostChanger changer({{"/nonexistent/tcpscope-cli", runCommand, {}}, monotonicNow});
  changer.preview(requestAt(readPlace(PlaceId{0})));
  const HostChangeState state = settled(changer);
  EXPECT_FALSE(state.canApply);
  EXPECT_FALSE(state.notice.empty());
}

// The real helper, on a bus of the test's own, with a polkit that says yes and then no; in a network namespace of the
// test's own.
TEST(HostChanger, AsksTheHelperWhereTheBusHasIt) {
  test::enterOwnNamespace();
  if (!test::hasOwnNamespace()) GTEST_SKIP() << "no network namespace of one's own here";
  if (!test::PrivateBus::isPossible()) GTEST_SKIP() << "no dbus-daemon here: package dbus-daemon";
  test::ChangedHost::set(kKey.data(), "4096 131072 131072");
  ScriptedCommands commands;
  HostChangerParts parts = commands.parts();
  parts.transport.openHelper = openHelperTransport;
  const test::PrivateBus bus("--idle 600 --answer-within 600");
  test::FakeAuthority authority(test::Verdict::yes);
  HostChanger changer(parts);
  changer.preview(requestAt(readPlace(PlaceId{0})));
  HostChangeState state = settled(changer);
  ASSERT_TRUE(state.canApply) << state.notice;
  EXPECT_THAT(authority.asked(), IsEmpty()) << "looking takes no right";
  changer.apply(false);
  state = settled(changer);
  ASSERT_EQ(state.phase, Phase::inForce) << state.notice;
  EXPECT_EQ(test::ChangedHost::setting(kKey.data()), "4096 131072 6291456");
  authority.say(test::Verdict::no);
  changer.undo();
  state = settled(changer);
  EXPECT_EQ(state.phase, Phase::inForce);
  EXPECT_FALSE(state.notice.empty());
  authority.say(test::Verdict::yes);
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_EQ(test::ChangedHost::setting(kKey.data()), "4096 131072 131072");
  EXPECT_THAT(commands.runs, IsEmpty()) << "no command line was needed";
}

// The real command line, in the network namespace of a demo's receiver.
TEST(HostChanger, ChangesADemosHostAndPutsItBack) {
  const test::OwnStateFolder journal;
  test::RecordingPort home;
  SwitchedSession shown(home);
  LabDemo demo(shown, {});
  demo.start(test::numberOf(demo, "default_window_50ms"));
  if (test::settled(demo).phase == DemoPhase::failed) GTEST_SKIP() << demo.state().notice;
  std::optional<Place> receiver;
  ASSERT_TRUE(comesTrue([&] {
    if (demo.state().phase != DemoPhase::running || !shown.latest()) return false;
    for (const Place& place : shown.latest()->places) {
      if (place.host == UntrustedText("receiver")) receiver = place;
    }
    return receiver.has_value();
  }));
  HostChanger changer({{test::commandLineProgram(), runCommand, {}}, monotonicNow});
  changer.preview(requestAt(*receiver));
  HostChangeState state = settled(changer);
  ASSERT_TRUE(state.canApply) << state.notice;
  EXPECT_EQ(state.rows.at(0).now, "4096 131072 131072");
  EXPECT_FALSE(state.canPersist) << "only the host's own settings outlive a boot";
  changer.apply(false);
  state = settled(changer);
  ASSERT_EQ(state.phase, Phase::inForce) << state.notice;
  EXPECT_EQ(state.rows.at(0).now, "4096 131072 6291456");
  changer.undo();
  state = settled(changer);
  ASSERT_EQ(state.phase, Phase::undone) << state.notice;
  EXPECT_EQ(state.rows.at(0).now, "4096 131072 131072");
}

}  // namespace
}  // namespace tcpscope
