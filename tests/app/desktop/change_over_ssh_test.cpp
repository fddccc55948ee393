// Changes of another host by the real command line behind the real ssh.
#include <gmock/gmock.h>

#include <future>

#include "tests/app/desktop/changed_over_ssh.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedOverSsh;
using test::comesTrue;
using test::kLargeBuffers;
using test::kSmallBuffers;
using test::settled;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Phase = HostChangePhase;

TEST_F(ChangedOverSsh, ChangesTheHostAndPutsItBack) {
  HostChanger changer(parts());
  changer.preview(request());
  HostChangeState state = settled(changer);
  ASSERT_TRUE(state.canApply) << state.notice;
  EXPECT_EQ(state.rows.at(0).now, kSmallBuffers);
  EXPECT_EQ(setting(), kSmallBuffers) << "nothing is changed yet";
  changer.apply(false);
  state = settled(changer);
  ASSERT_EQ(state.phase, Phase::inForce) << state.notice;
  EXPECT_TRUE(state.undoneIn);
  EXPECT_EQ(setting(), kLargeBuffers);
  changer.undo();
  state = settled(changer);
  EXPECT_EQ(state.phase, Phase::undone) << state.notice;
  EXPECT_EQ(setting(), kSmallBuffers);
}

TEST_F(ChangedOverSsh, KeepsWhatWasChanged) {
  HostChanger changer(parts());
  changer.preview(request());
  settled(changer);
  changer.apply(false);
  settled(changer);
  changer.keep();
  EXPECT_EQ(settled(changer).phase, Phase::kept) << changer.state().notice;
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_EQ(setting(), kSmallBuffers);
}

TEST_F(ChangedOverSsh, RefusesASettingThatChangedSinceThePreview) {
  HostChanger changer(parts());
  changer.preview(request());
  settled(changer);
  test::ChangedHost::set(test::kRmem, "4096 131072 262144");
  changer.apply(false);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed);
  EXPECT_THAT(state.notice, HasSubstr("it was changed meanwhile"));
  EXPECT_EQ(setting(), "4096 131072 262144");
}

// A change that cuts off its own ssh connection cannot be undone over it.
TEST_F(ChangedOverSsh, IsUndoneByTheHostItselfAfterTheConnectionIsLost) {
  holdAnswers();
  const auto transport = sshTransport(m_host->address, request().place, SshManner::alone, runSsh);
  const ChangeRequest change{
      {{test::kRmem, std::string(kLargeBuffers)}}, {{test::kRmem, std::string(kSmallBuffers)}}, false, 2s};
  auto result = std::async(std::launch::async, [&] { return transport->apply(change, {}); });
  ASSERT_TRUE(comesTrue([&] { return isDone(); }));
  m_server->dropConnections();
  const ChangeResult report = result.get();
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.error().isOutcomeUnknown);
  EXPECT_TRUE(comesTrue([] { return setting() == kSmallBuffers; }));
  letAnswersGo();
}

TEST_F(ChangedOverSsh, AsksTheHostWhatItDidWhenTheAnswerWasLost) {
  holdAnswers();
  HostChanger changer(parts());
  changer.preview(request());
  ASSERT_TRUE(settled(changer).canApply) << changer.state().notice;
  changer.apply(false);
  ASSERT_TRUE(comesTrue([&] { return isDone(); }));
  m_host->isConnected = false;
  m_server->dropConnections();
  HostChangeState state = settled(changer);
  ASSERT_EQ(state.phase, Phase::unknown) << state.notice;
  EXPECT_THAT(state.notice, HasSubstr("ended before the result arrived"));
  letAnswersGo();
  m_host->isConnected = true;
  m_ahead = 6s;
  ASSERT_TRUE(comesTrue([&] { return changer.state().phase == Phase::inForce; })) << changer.state().notice;
  EXPECT_TRUE(changer.state().undoneIn) << "it still waits to be kept";
  EXPECT_EQ(setting(), kLargeBuffers);
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone) << changer.state().notice;
  EXPECT_EQ(setting(), kSmallBuffers);
}

TEST_F(ChangedOverSsh, SaysThatSudoThereAsksForAPasswordAndWhatToRun) {
  setSudo("echo 'sudo: a password is required' >&2; exit 1");
  HostChanger changer(parts());
  changer.preview(request());
  ASSERT_TRUE(settled(changer).canApply) << "looking takes no rights";
  changer.apply(false);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed);
  EXPECT_THAT(state.notice, HasSubstr("asks for a password"));
  EXPECT_EQ(state.byHand,
            "sudo tcpscope-cli apply --yes --revert-after 60 'net.ipv4.tcp_rmem=4096 131072 6291456' --expect "
            "'net.ipv4.tcp_rmem=4096 131072 131072'");
  EXPECT_EQ(setting(), kSmallBuffers);
}

TEST_F(ChangedOverSsh, GoesThroughASudoThatAsksNothing) {
  setSudo("[ \"$1 $2\" = '-n --' ] || exit 1; shift 2; exec \"$@\"");
  HostChanger changer(parts());
  changer.preview(request());
  settled(changer);
  changer.apply(false);
  EXPECT_EQ(settled(changer).phase, Phase::inForce) << changer.state().notice;
  EXPECT_EQ(setting(), kLargeBuffers);
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone) << changer.state().notice;
}

TEST_F(ChangedOverSsh, ChangesNothingWhereAnotherBootAnswers) {
  HostChangeRequest other = request();
  other.place.bootId = "'; touch /tmp/tcpscope-was-here; '";
  HostChanger changer(parts());
  changer.preview(other);
  const HostChangeState state = settled(changer);
  EXPECT_FALSE(state.canApply);
  EXPECT_THAT(state.notice, HasSubstr("is not the host that was previewed"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/tcpscope-was-here"));
}

TEST_F(ChangedOverSsh, ChangesNothingWhereAnotherNetworkNamespaceAnswers) {
  HostChangeRequest other = request();
  other.place.networkNamespace = "1";
  HostChanger changer(parts());
  changer.preview(other);
  EXPECT_THAT(settled(changer).notice, HasSubstr("is not the host that was previewed"));
}

TEST_F(ChangedOverSsh, SaysThatTheCommandLineIsMissingThere) {
  std::filesystem::remove(m_server->programs() / "tcpscope-cli");
  if (std::filesystem::exists("/usr/bin/tcpscope-cli")) GTEST_SKIP() << "it is installed here";
  HostChanger changer(parts());
  changer.preview(request());
  EXPECT_THAT(settled(changer).notice, HasSubstr("has no tcpscope-cli"));
}

TEST_F(ChangedOverSsh, SaysThatTheLoginWasRefusedAndChangesNothing) {
  HostChanger changer(parts());
  changer.preview(request());
  settled(changer);
  m_server->forgetKeys();
  changer.apply(false);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed) << "it is known that nothing ran";
  EXPECT_THAT(state.notice, HasSubstr("refused the login"));
  EXPECT_EQ(setting(), kSmallBuffers);
}

TEST_F(ChangedOverSsh, SaysThatTheHostsKeyIsAnother) {
  m_server->changeHostKey();
  ASSERT_THAT(m_server->whyNot(), IsEmpty());
  HostChanger changer(parts());
  changer.preview(request());
  EXPECT_THAT(settled(changer).notice, StartsWith("The key of the host"));
}

}  // namespace
}  // namespace tcpscope
