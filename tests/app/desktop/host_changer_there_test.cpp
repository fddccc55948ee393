// Which host is changed, and the state while the outcome is unknown: with ssh answers that the test supplies.
#include <gmock/gmock.h>

#include <deque>

#include "app/desktop/host_changer.h"
#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/app/desktop/change_settled.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::settled;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Phase = HostChangePhase;

const CommandResult kShownThere{0,
                                R"({"schema": "tcpscope.changes", "preview": [{"key": "net.ipv4.tcp_sack",
    "now": "1", "wanted": "0", "verdict": "changes", "notes": []}]})",
                                {}};
const CommandResult kSetThere{0,
                              R"({"schema": "tcpscope.changes", "preview": [{"key": "net.ipv4.tcp_sack",
    "now": "0", "wanted": "0", "verdict": "same", "notes": []}]})",
                              {}};
const CommandResult kAppliedThere{0,
                                  R"({"schema": "tcpscope.changes", "changes": [{"id": 3, "settings": [
    {"key": "net.ipv4.tcp_sack", "original": "1", "wanted": "0"}]}]})",
                                  {}};
const CommandResult kSshDied{255, {}, "client_loop: send disconnect: Broken pipe"};

CommandResult journalWith(const std::string& state) {
  return {0,
          R"({"schema": "tcpscope.changes", "time": "2026-01-01T00:00:30.25Z", "changes": [{"id": 3, "state": ")" +
              state +
              R"(", "made_at": "2026-01-01T00:00:10Z", "boot_id": "there", "settings": [{"key": "net.ipv4.tcp_sack",
    "original": "1", "wanted": "0"}]}]})",
          {}};
}
const CommandResult kEmptyJournal{0, R"({"schema": "tcpscope.changes", "changes": []})", {}};

/// Two hosts behind ssh, which answer in turn.
class ChangeThere : public testing::Test {
protected:
  struct Run {
    std::vector<std::string> words;
    SshManner manner;
  };

  HostChangerParts parts() {
    return {{"tcpscope-cli",
             [this](const std::vector<std::string>&, const std::stop_token&) {
               ++runsHere;
               return CommandResult();
             },
             {},
             [this](const std::vector<std::string>& words, SshManner manner, const std::stop_token&) {
               runs.push_back({words, manner});
               if (answers.empty()) return CommandResult{5, {}, "no answer is left"};
               CommandResult answer = answers.front();
               answers.pop_front();
               return answer;
             }},
            [this] { return now; },
            [this](PlaceId place) {
              const auto host = hosts.find(place);
              return host == hosts.end() ? std::nullopt : std::optional(host->second);
            }};
  }
  static HostChangeRequest requestAt(PlaceId place) {
    HostChangeRequest request;
    request.place.id = place;
    request.place.bootId = "there";
    request.place.networkNamespace = "4026531840";
    request.changes = {{SettingKind::sysctl, "net.ipv4.tcp_sack", std::nullopt, "0"}};
    return request;
  }
  /// A change of db2 that is in force.
  void apply() {
    answers = {kShownThere, kAppliedThere};
    changer.preview(requestAt(second));
    settled(changer);
    changer.apply(false);
    ASSERT_EQ(settled(changer).phase, Phase::inForce) << changer.state().notice;
  }
  /// One whose answer was lost.
  void loseApply() {
    answers = {kShownThere, kSshDied};
    changer.preview(requestAt(second));
    settled(changer);
    changer.apply(false);
    ASSERT_EQ(settled(changer).phase, Phase::unknown) << changer.state().notice;
  }

  const PlaceId first{1};
  const PlaceId second{500'000};
  std::map<PlaceId, RemoteHost> hosts = {{first, {"db1", true}}, {second, {"me@db2:2222", true}}};
  std::deque<CommandResult> answers;
  std::vector<Run> runs;
  int runsHere = 0;
  Moment now = monotonicNow();
  HostChanger changer{parts()};
};

TEST_F(ChangeThere, GoesToTheHostOfTheConnection) {
  apply();
  ASSERT_THAT(runs, SizeIs(2));
  for (const Run& run : runs) {
    EXPECT_THAT(run.words, Contains("db2"));
    EXPECT_THAT(run.words, Contains("2222"));
    EXPECT_THAT(run.words, Not(Contains("db1")));
    EXPECT_EQ(run.manner, SshManner::asking) << "a person pressed a button";
  }
  EXPECT_THAT(runs.back().words, Contains("'net.ipv4.tcp_sack=0'").Times(0)) << "plain words stay readable";
  EXPECT_THAT(runs.back().words, Contains("net.ipv4.tcp_sack=0"));
  EXPECT_EQ(runsHere, 0);
}

TEST_F(ChangeThere, OffersNothingForTheNextBootToANetworkNamespace) {
  hosts[second].address = "root@db2/web";
  answers = {kShownThere};
  changer.preview(requestAt(second));
  EXPECT_TRUE(settled(changer).canApply);
  EXPECT_FALSE(changer.state().canPersist);
}

TEST_F(ChangeThere, SaysWhatKeepsItFromANetworkNamespace) {
  hosts[second].address = "me@db2/web";
  answers = {CommandResult{255, {}, "setting the network namespace \"web\" failed: Operation not permitted\n"}};
  changer.preview(requestAt(second));
  EXPECT_FALSE(settled(changer).canApply);
  EXPECT_THAT(changer.state().notice, HasSubstr("network namespace of 'me@db2/web' cannot be entered"));
}

TEST_F(ChangeThere, RefusesAHostThatLeftOrHasAnotherAddressNow) {
  answers = {kShownThere};
  changer.preview(requestAt(second));
  ASSERT_TRUE(settled(changer).canApply);
  EXPECT_TRUE(changer.state().canPersist);
  hosts[second].address = "db1";
  changer.apply(false);
  EXPECT_EQ(changer.state().phase, Phase::previewed);
  EXPECT_THAT(changer.state().notice, HasSubstr("no longer in the list of hosts"));
  hosts.erase(second);
  changer.apply(false);
  EXPECT_THAT(changer.state().notice, HasSubstr("no longer in the list of hosts"));
  EXPECT_THAT(runs, SizeIs(1));
  EXPECT_EQ(runsHere, 0);
}

TEST_F(ChangeThere, WaitsForAHostThatIsLost) {
  hosts[second].isConnected = false;
  changer.preview(requestAt(second));
  EXPECT_FALSE(changer.state().canApply);
  EXPECT_THAT(changer.state().notice, HasSubstr("is not connected"));
  EXPECT_THAT(runs, IsEmpty());
  hosts[second].isConnected = true;
  answers = {kShownThere};
  changer.refresh();
  EXPECT_TRUE(settled(changer).canApply);
  EXPECT_TRUE(changer.state().notice.empty());
}

TEST_F(ChangeThere, KnowsNotWhetherItWasChangedUntilTheHostIsAskedAgain) {
  loseApply();
  EXPECT_EQ(changer.state().rows.at(0).now, std::nullopt) << "what is set now is not known, either";
  hosts[second].isConnected = false;
  now = now + 30s;
  EXPECT_EQ(changer.state().phase, Phase::unknown);
  EXPECT_THAT(runs, SizeIs(2)) << "a disconnected host is not asked";
  hosts[second].isConnected = true;
  answers = {journalWith("applied"), kSetThere};
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::inForce);
  EXPECT_EQ(state.undoneIn, Milliseconds(40'000)) << "by the clock there, 20 s are over";
  EXPECT_EQ(runs.back().manner, SshManner::alone) << "no button was pressed";
  answers = {kAppliedThere};
  changer.undo();
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_THAT(runs.back().words, Contains("revert"));
  EXPECT_THAT(runs.back().words, Contains("3"));
}

TEST_F(ChangeThere, TakesNothingForNotAppliedThatMayStillBegin) {
  loseApply();
  answers = {kEmptyJournal, kShownThere};
  changer.refresh();
  EXPECT_EQ(settled(changer).phase, Phase::unknown);
  now = now + 6s;
  answers = {kEmptyJournal, kShownThere};
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed);
  EXPECT_THAT(state.notice, HasSubstr("No such change is active"));
  EXPECT_TRUE(state.canApply);
}

TEST_F(ChangeThere, AsksAloneOnlyOnceUntilTheHostWasLostAgain) {
  loseApply();
  now = now + 6s;
  answers = {{255, {}, "me@db2: Permission denied (publickey)."}, {255, {}, "me@db2: Permission denied (publickey)."}};
  EXPECT_EQ(settled(changer).phase, Phase::unknown);
  EXPECT_THAT(changer.state().notice, HasSubstr("refused the login"));
  const std::size_t tried = runs.size();
  now = now + 60s;
  settled(changer);
  EXPECT_THAT(runs, SizeIs(tried));
  answers = {journalWith("applied"), kSetThere};
  changer.refresh();
  EXPECT_EQ(settled(changer).phase, Phase::inForce);
  EXPECT_EQ(runs.back().manner, SshManner::asking);
}

TEST_F(ChangeThere, FindsOutWhetherItWasKeptOrUndone) {
  apply();
  answers = {kSshDied};
  changer.keep();
  ASSERT_EQ(settled(changer).phase, Phase::unknown);
  now = now + 6s;
  answers = {journalWith("confirmed"), kSetThere};
  EXPECT_EQ(settled(changer).phase, Phase::kept);
  answers = {kSshDied};
  changer.undo();
  ASSERT_EQ(settled(changer).phase, Phase::unknown);
  now = now + 6s;
  answers = {journalWith("reverted"), kShownThere};
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_TRUE(changer.state().notice.empty()) << "that is what was wanted";
}

TEST_F(ChangeThere, DoesNotSayUndoneOfAHostThatIsLostWhenTheTimeIsOver) {
  apply();
  hosts[second].isConnected = false;
  now = now + 63s;
  EXPECT_EQ(changer.state().phase, Phase::unknown);
  EXPECT_THAT(changer.state().notice, HasSubstr("is not connected"));
  hosts[second].isConnected = true;
  now = now + 6s;
  answers = {journalWith("reverted"), kShownThere};
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::undone);
  EXPECT_THAT(state.notice, HasSubstr("was not confirmed in time"));
}

TEST_F(ChangeThere, LetsTheJournalUndoWhatIsOverdue) {
  apply();
  now = now + 63s;
  answers = {journalWith("reverted"), kShownThere};
  EXPECT_EQ(settled(changer).phase, Phase::undone);
  EXPECT_THAT(runs.at(2).words, Contains("changes"));
  EXPECT_THAT(runs.at(3).words, Contains("--preview"));
  EXPECT_EQ(runs.back().manner, SshManner::alone);
}

TEST_F(ChangeThere, SaysThatSudoDoesNotAllowIt) {
  answers = {kShownThere, {1, {}, "Sorry, user me is not allowed to execute '/usr/bin/tcpscope-cli' as root on db2."}};
  changer.preview(requestAt(second));
  settled(changer);
  changer.apply(false);
  const HostChangeState state = settled(changer);
  EXPECT_EQ(state.phase, Phase::previewed);
  EXPECT_THAT(state.notice, HasSubstr("does not let this login"));
  EXPECT_THAT(state.byHand, HasSubstr("sudo tcpscope-cli apply"));
}

TEST_F(ChangeThere, GivesTheLineThatChangesAnOptionWhereLookingTakesRights) {
  answers = {{3, {}, "tcpscope-cli: no right"}, {1, {}, "sudo: a password is required"}};
  HostChangeRequest request = requestAt(second);
  request.kind = SettingKind::socketOption;
  request.changes = {{SettingKind::socketOption, "SO_SNDBUF", std::nullopt, "4194304"}};
  request.local = request.remote = {IpAddress::v4({127, 0, 0, 1}), 5001};
  changer.preview(request);
  EXPECT_FALSE(settled(changer).canApply);
  EXPECT_EQ(changer.state().byHand, "sudo tcpscope-cli tune 127.0.0.1:5001-127.0.0.1:5001 SO_SNDBUF=4194304");
}

}  // namespace
}  // namespace tcpscope
