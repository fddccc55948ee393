// The helper as a program, called over a private bus, with a fake polkit that gives the test's answers. It changes real
// settings, in the network namespace of the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <regex>

#include "app/changes/bus/settings_message.h"
#include "app/changes/transport/bus_client.h"
#include "core/present/json/change_document.h"
#include "tests/app/changes/changed_host.h"
#include "tests/app/changes/service/fake_authority.h"
#include "tests/support/json_schema.h"
#include "tests/support/own_namespace.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;
using test::FakeAuthority;
using test::PrivateBus;
using test::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

/// Of the helper: it neither ends nor gives up while a test runs.
constexpr const char* kPatient = "--idle 600 --answer-within 600";

class HelperServiceTest : public testing::Test {
protected:
  void SetUp() override {
    if (!test::hasOwnNamespace()) GTEST_SKIP() << "no network namespace of one's own here";
    if (!PrivateBus::isPossible()) GTEST_SKIP() << "no dbus-daemon here: package dbus-daemon";
    ChangedHost::set(test::kSack, "1");
    ChangedHost::set(test::kRmem, "4096 131072 6291456");
  }
  void TearDown() override { m_authority.reset(); }

  void start(const std::string& options, std::optional<Verdict> verdict, const std::string& prefix = {}) {
    m_bus.emplace(options, prefix);
    if (verdict) m_authority.emplace(*verdict);
  }
  static ChangeRequest withoutSack(Milliseconds revertAfter = test::kLongerThanATest) {
    return {{{test::kSack, "0"}}, {{test::kSack, "1"}}, false, revertAfter};
  }
  static ChangeErrorKind kindOf(const BusClient::Document& answer) {
    EXPECT_FALSE(answer) << *answer;
    return answer ? ChangeErrorKind::reported : answer.error().kind;
  }
  static std::string sentenceOf(const BusClient::Document& answer) {
    EXPECT_EQ(kindOf(answer), ChangeErrorKind::reported);
    return answer ? *answer : answer.error().object.rawBytes();
  }

  std::optional<PrivateBus> m_bus;
  std::optional<FakeAuthority> m_authority;
  BusClient m_client;
};

constexpr uid_t kUnprivilegedUser = 65534;

/// Not in a namespace that has no other user.
bool canBecomeAnotherUser() {
  const pid_t child = fork();
  if (child == 0) _exit(setresuid(kUnprivilegedUser, kUnprivilegedUser, kUnprivilegedUser) == 0 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

/// The name of the error that a call ends with; empty where it does not.
template <class... Values>
std::string errorOf(sd_bus* bus, const char* method, const char* signature, Values... values) {
  sd_bus_error error{};
  sd_bus_call_method(bus, kHelperName, kHelperPath, kHelperInterface, method, &error, nullptr, signature, values...);
  std::string name = error.name != nullptr ? error.name : "";
  sd_bus_error_free(&error);
  return name;
}

/// Sends a request to apply and does not wait for the answer.
void askWithoutWaiting(sd_bus* bus, const char* value) {
  sd_bus_call_method_async(
      bus, nullptr, kHelperName, kHelperPath, kHelperInterface, "Apply",
      [](sd_bus_message*, void*, sd_bus_error*) { return 0; }, nullptr, "a{ss}a{ss}bu", 1, test::kSack, value, 0, 0,
      0U);
  sd_bus_flush(bus);
}

TEST_F(HelperServiceTest, PreviewsWithoutAuthorization) {
  start(kPatient, Verdict::no);
  const auto answer = m_client.preview({{test::kSack, "0"}, {"kernel.panic", "1"}});
  ASSERT_TRUE(answer);
  EXPECT_TRUE(test::conformsTo(changesSchema(), *answer));
  EXPECT_THAT(*answer, HasSubstr("would change"));
  EXPECT_THAT(*answer, HasSubstr("refused"));
  ASSERT_TRUE(m_client.list());
  EXPECT_TRUE(m_authority->asked().empty());
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

/// Words that run a program in a host of its own: the first process there, with this folder as /etc/sysctl.d.
std::string onHostWith(const std::filesystem::path& folder) {
  return R"(/usr/bin/unshare --mount --pid --fork --mount-proc /bin/sh -c 'mount --bind "$0" /etc/sysctl.d && exec "$@"' )" +
         folder.string() + ' ';
}

TEST_F(HelperServiceTest, ShowsOnlyWhatEveryUserMayRead) {
  if (!std::filesystem::exists("/etc/sysctl.d")) GTEST_SKIP() << "no /etc/sysctl.d to put another over";
  const ChangedHost host;
  const std::filesystem::path folder = host.persisted().parent_path();
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
  std::ofstream(folder / "91-open.conf") << "net.ipv4.tcp_sack = 1\nkernel.panic = 4711\n";
  std::ofstream(folder / "92-secret.conf") << "net.ipv4.tcp_sack = 1 # hunter2\nnet.ipv4.tcp_rmem = hunter2\n";
  std::filesystem::permissions(folder / "91-open.conf", std::filesystem::perms(0644));
  std::filesystem::permissions(folder / "92-secret.conf", std::filesystem::perms(0600));
  if (test::runProgram("/bin/sh", {"-c", onHostWith(folder) + "true"}).code != 0) {
    GTEST_SKIP() << "no mount namespace of one's own here";
  }
  start(kPatient, Verdict::no, onHostWith(folder));
  const auto answer =
      m_client.preview({{test::kSack, "0"}, {test::kRmem, "4096 131072 33554432"}, {"kernel.panic", "1"}});
  ASSERT_TRUE(answer) << answer.error().object.rawBytes();
  EXPECT_THAT(*answer, HasSubstr("91-open.conf"));
  EXPECT_THAT(*answer, testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(*answer, testing::Not(HasSubstr("4711")));
}

TEST_F(HelperServiceTest, AppliesWhatIsAllowedAndUndoesIt) {
  start(kPatient, Verdict::yes);
  const auto applied = m_client.apply(withoutSack());
  ASSERT_TRUE(applied) << applied.error().object.rawBytes();
  EXPECT_TRUE(test::conformsTo(changesSchema(), *applied));
  EXPECT_THAT(*applied, HasSubstr(R"("state":"applied")"));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  const auto reverted = m_client.revert(1);
  ASSERT_TRUE(reverted);
  EXPECT_THAT(*reverted, HasSubstr(R"("outcome":"restored")"));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(HelperServiceTest, KeepsWhatIsConfirmed) {
  start(kPatient, Verdict::yes);
  ASSERT_TRUE(m_client.apply(withoutSack()));
  const auto confirmed = m_client.confirm(1);
  ASSERT_TRUE(confirmed);
  EXPECT_THAT(*confirmed, HasSubstr(R"("state":"confirmed")"));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
}

TEST_F(HelperServiceTest, AnythingButAYesIsANo) {
  for (const Verdict verdict : {Verdict::no, Verdict::couldBe, Verdict::error, Verdict::odd, Verdict::silence}) {
    start("--idle 600 --answer-within 0.2", verdict);
    BusClient client;
    EXPECT_EQ(kindOf(client.apply(withoutSack())), ChangeErrorKind::denied) << static_cast<int>(verdict);
    // The yes that comes too late.
    if (verdict == Verdict::silence) m_authority->waitForCancellations(1);
    EXPECT_THAT(client.list().value_or(""), HasSubstr(R"("changes":[])"));
    EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
    m_authority.reset();
  }
}

TEST_F(HelperServiceTest, WithoutAnAuthorityNothingIsAllowed) {
  start(kPatient, std::nullopt);
  EXPECT_EQ(kindOf(m_client.apply(withoutSack())), ChangeErrorKind::denied);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(HelperServiceTest, AsksAboutItsCallerAndSaysWhatWouldChange) {
  start(kPatient, Verdict::no);
  const BusHandle bus = PrivateBus::connect();
  const char* name = nullptr;
  sd_bus_get_unique_name(bus.get(), &name);
  EXPECT_EQ(errorOf(bus.get(), "Apply", "a{ss}a{ss}bu", 2, test::kSack, "0", test::kRmem, "4096  131072\t33554432", 0,
                    1, 60U),
            kDeniedError);
  const auto asked = m_authority->asked();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].subjectKind, "system-bus-name.name");
  EXPECT_EQ(asked[0].subjectName, name);
  EXPECT_EQ(asked[0].action, kApplyAction);
  EXPECT_EQ(asked[0].flags, 1U) << "the user may be asked for a password";
  EXPECT_THAT(asked[0].details,
              UnorderedElementsAre(Pair("settings", "net.ipv4.tcp_sack = 0, net.ipv4.tcp_rmem = 4096 131072 33554432"),
                                   Pair("until", "also after the next boot")));
}

TEST_F(HelperServiceTest, WhoMadeAChangeFinishesItAndOthersNeedTheRightToChange) {
  start(kPatient, Verdict::yes);
  ASSERT_TRUE(m_client.apply(withoutSack()));
  ASSERT_TRUE(m_client.confirm(1));
  BusClient other;
  ASSERT_TRUE(other.revert(1));
  const auto asked = m_authority->asked();
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[1].action, kFinishAction);
  EXPECT_EQ(asked[1].details.at("settings"), "net.ipv4.tcp_sack = 0");
  EXPECT_EQ(asked[2].action, kApplyAction);
  EXPECT_EQ(asked[2].details.at("settings"), "net.ipv4.tcp_sack = 1");
}

/// Calls a method with something of each type that it takes.
std::string errorOfAnyCall(sd_bus* bus, const std::string& method, const std::string& signature) {
  sd_bus_message* made = nullptr;
  sd_bus_message_new_method_call(bus, &made, kHelperName, kHelperPath, kHelperInterface, method.c_str());
  const BusMessage request(made);
  for (std::string left = signature; !left.empty();) {
    if (left.rfind("a{ss}", 0) == 0) {
      appendSettings(made, {{test::kRmem, "4096 131072 33554432"}});
      left.erase(0, 5);
      continue;
    }
    const std::uint32_t one = 1;
    if (left[0] != 'u' && left[0] != 'b') ADD_FAILURE() << "this test does not know the type of " << left;
    sd_bus_message_append_basic(made, left[0], &one);
    left.erase(0, 1);
  }
  sd_bus_error error{};
  sd_bus_call(bus, made, 0, &error, nullptr);
  std::string name = error.name != nullptr ? error.name : "";
  sd_bus_error_free(&error);
  return name;
}

TEST_F(HelperServiceTest, AsksForAuthorizationUnlessAMethodOnlyReads) {
  start(kPatient, Verdict::yes);
  ASSERT_TRUE(m_client.apply(withoutSack()));
  m_authority->say(Verdict::no);

  const BusHandle bus = PrivateBus::connect();
  sd_bus_message* answered = nullptr;
  ASSERT_GE(sd_bus_call_method(bus.get(), kHelperName, kHelperPath, "org.freedesktop.DBus.Introspectable", "Introspect",
                               nullptr, &answered, ""),
            0);
  const BusMessage answer(answered);
  const char* text = nullptr;
  sd_bus_message_read(answered, "s", &text);
  std::string described = text;
  described.erase(0, described.find(kHelperInterface));
  described.erase(described.find("</interface>"));

  std::vector<std::string> looking;
  std::size_t asked = m_authority->asked().size();
  const std::regex member(R"re(<method name="(\w+)">|<arg type="([^"]+)"[^>]*direction="in"|</method>)re");
  std::string method;
  std::string signature;
  for (std::sregex_iterator found(described.begin(), described.end(), member), end; found != end; ++found) {
    if ((*found)[1].matched) {
      method = (*found)[1];
      signature.clear();
    } else if ((*found)[2].matched) {
      signature += (*found)[2];
    } else if (const std::string error = errorOfAnyCall(bus.get(), method, signature); error.empty()) {
      looking.push_back(method);
    } else {
      EXPECT_EQ(error, kDeniedError) << method;
      EXPECT_EQ(m_authority->asked().size(), ++asked) << method;
    }
  }
  EXPECT_THAT(looking, ElementsAre("Preview", "List"));
  EXPECT_EQ(m_authority->asked().size(), 4U) << "one yes, and a no for apply, confirm and revert";
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

TEST_F(HelperServiceTest, RefusesMoreThanARequestMayHold) {
  start(kPatient, Verdict::yes);
  std::vector<WantedSetting> many(65);
  for (std::size_t number = 0; number < many.size(); ++number) many[number] = {"key" + std::to_string(number), "1"};
  const std::vector<WantedSetting> large = {{test::kSack, std::string(4097, '1')}};
  const std::vector<WantedSetting> half = {{test::kSack, std::string(2500, '1')}};
  for (const auto& settings : {many, large}) {
    EXPECT_THAT(sentenceOf(m_client.preview(settings)), HasSubstr("exceeds the size of one request"));
    EXPECT_THAT(sentenceOf(m_client.apply({settings, {}, false, {}})), HasSubstr("exceeds the size of one request"));
    EXPECT_THAT(sentenceOf(m_client.apply({{{test::kSack, "0"}}, settings, false, {}})),
                HasSubstr("exceeds the size of one request"));
  }
  EXPECT_THAT(sentenceOf(m_client.apply({half, half, false, {}})), HasSubstr("exceeds the size of one request"));
  EXPECT_THAT(sentenceOf(m_client.apply(withoutSack(25h))), HasSubstr("exceeds the size of one request"));
  EXPECT_TRUE(m_authority->asked().empty());
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(HelperServiceTest, RefusesAnUnlistedSettingBeforeAskingForAuthorization) {
  start(kPatient, Verdict::yes);
  for (const char* key : {"kernel.core_pattern", "../../etc/shadow", "net.ipv4.ip_forward", ""}) {
    EXPECT_THAT(sentenceOf(m_client.apply({{{key, "1"}}, {}, false, {}})),
                HasSubstr("is not a setting that tcpscope changes"))
        << key;
  }
  EXPECT_THAT(sentenceOf(m_client.apply({{{test::kSack, "$(id)"}}, {}, false, {}})),
              HasSubstr("plain decimal numbers"));
  EXPECT_THAT(sentenceOf(m_client.revert(7)), HasSubstr("there is no change 7"));
  EXPECT_TRUE(m_authority->asked().empty());
}

TEST_F(HelperServiceTest, RefusesWhatTheLibraryRefusesAlsoAfterAYes) {
  start(kPatient, Verdict::yes);
  EXPECT_THAT(sentenceOf(m_client.apply({{{test::kSack, "0"}}, {{test::kSack, "0"}}, false, {}})),
              HasSubstr("does not have the expected value: it was changed meanwhile"));
  EXPECT_THAT(sentenceOf(m_client.apply({{{test::kSack, "0"}}, {}, true, {}})),
              HasSubstr("the host's own network namespace"));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(HelperServiceTest, RefusesCallsOfAnotherForm) {
  start(kPatient, Verdict::yes);
  const BusHandle bus = PrivateBus::connect();
  EXPECT_EQ(errorOf(bus.get(), "Apply", "s", "net.ipv4.tcp_sack=0"), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Apply", "a{ss}a{ss}b", 0, 0, 0), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Apply", "a{sv}a{ss}bu", 1, test::kSack, "s", "0", 0, 0, 0U), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Confirm", "s", "1"), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Revert", "i", -1), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Preview", "as", 1, "/etc/shadow"), SD_BUS_ERROR_INVALID_ARGS);
  EXPECT_EQ(errorOf(bus.get(), "Run", "s", "id"), SD_BUS_ERROR_UNKNOWN_METHOD);
  EXPECT_TRUE(m_authority->asked().empty());
  EXPECT_TRUE(m_client.list()) << "and goes on";
}

TEST_F(HelperServiceTest, APendingPromptBlocksNoOtherCallerAndEndsWithItsOwn) {
  start(kPatient, Verdict::silence);
  BusHandle impatient = PrivateBus::connect();
  askWithoutWaiting(impatient.get(), "0");
  m_authority->waitForQuestions(1);
  EXPECT_EQ(errorOf(impatient.get(), "Apply", "a{ss}a{ss}bu", 1, test::kSack, "0", 0, 0, 0U), kFailedError)
      << "one at a time";
  EXPECT_TRUE(m_client.list());
  m_authority->say(Verdict::yes);
  ASSERT_TRUE(m_client.apply({{{test::kRmem, "4096 131072 33554432"}}, {}, false, {}}));
  // The authority authorizes a caller that is gone.
  impatient.reset();
  m_authority->waitForCancellations(1);
  EXPECT_THAT(m_client.list().value_or(""), testing::Not(HasSubstr(test::kSack)));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

/// Of another user, each with a request that waits; ended with the object.
class WaitingCallers {
public:
  explicit WaitingCallers(std::size_t count) : m_child(fork()) {
    if (m_child != 0) return;
    if (setresuid(kUnprivilegedUser, kUnprivilegedUser, kUnprivilegedUser) != 0) _exit(77);
    std::vector<BusHandle> callers;
    while (callers.size() < count) {
      callers.push_back(PrivateBus::connect());
      askWithoutWaiting(callers.back().get(), "0");
    }
    while (true) pause();
  }
  WaitingCallers(const WaitingCallers&) = delete;
  WaitingCallers& operator=(const WaitingCallers&) = delete;
  ~WaitingCallers() {
    kill(m_child, SIGKILL);
    waitpid(m_child, nullptr, 0);
  }

private:
  pid_t m_child;
};

TEST_F(HelperServiceTest, TheRequestsOfOneUserRefuseNoOther) {
  if (!canBecomeAnotherUser()) GTEST_SKIP() << "no other user to be";
  constexpr std::size_t kMostOfOneUser = 16;
  start(kPatient, Verdict::silence);
  const WaitingCallers others(kMostOfOneUser);
  m_authority->waitForQuestions(kMostOfOneUser);
  m_authority->say(Verdict::yes);
  const auto applied = m_client.apply(withoutSack());
  ASSERT_TRUE(applied) << applied.error().object.rawBytes();
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
}

TEST_F(HelperServiceTest, OneUserHasSixteenRequestsAtMost) {
  constexpr std::size_t kMostOfOneUser = 16;
  start(kPatient, Verdict::silence);
  std::vector<BusHandle> callers;
  while (callers.size() < kMostOfOneUser) {
    callers.push_back(PrivateBus::connect());
    askWithoutWaiting(callers.back().get(), "0");
  }
  m_authority->waitForQuestions(kMostOfOneUser);
  EXPECT_THAT(sentenceOf(m_client.apply(withoutSack())), HasSubstr("wait"));
}

TEST_F(HelperServiceTest, ExitsWhenIdleAndIsStartedAgainOnDemand) {
  start("--idle 0.05", std::nullopt);
  EXPECT_TRUE(m_client.isAvailable());
  EXPECT_FALSE(PrivateBus::hasHelper()) << "asking whether it is available does not start it";
  ASSERT_TRUE(m_client.list());
  while (PrivateBus::hasHelper()) usleep(1000);
  EXPECT_TRUE(m_client.isAvailable());
  EXPECT_TRUE(m_client.list());
}

TEST_F(HelperServiceTest, UndoesInTimeAfterTheHelperExited) {
  start("--idle 0.05", Verdict::yes);
  ASSERT_TRUE(m_client.apply(withoutSack(2s)));
  while (PrivateBus::hasHelper()) usleep(1000);
  while (ChangedHost::setting(test::kSack) != "1") usleep(1000);
  EXPECT_FALSE(PrivateBus::hasHelper());
}

TEST_F(HelperServiceTest, SaysWhereThereIsNoHelper) {
  start("", std::nullopt);
  EXPECT_FALSE(m_client.isAvailable());
  EXPECT_EQ(kindOf(m_client.list()), ChangeErrorKind::helperNotAvailable);
  m_bus.reset();
  BusClient client;
  EXPECT_FALSE(client.isAvailable()) << "nor a bus";
}

TEST_F(HelperServiceTest, EverybodyMayAskAndOnlyRootMayAnswer) {
  if (!canBecomeAnotherUser()) GTEST_SKIP() << "no other user to be";
  start(kPatient, std::nullopt);
  const pid_t child = fork();
  if (child == 0) {
    if (setresuid(kUnprivilegedUser, kUnprivilegedUser, kUnprivilegedUser) != 0) _exit(77);
    const BusHandle bus = PrivateBus::connect();
    if (sd_bus_request_name(bus.get(), kHelperName, 0) != -EACCES) _exit(1);
    BusClient client;
    if (!client.preview({{test::kSack, "0"}})) _exit(2);
    _exit(client.apply(withoutSack()).has_value() ? 3 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST(HelperPolicy, HasTheActionsAndKeepsNoPassword) {
  std::ostringstream text;
  text << std::ifstream(PrivateBus::installedFile("org.tcpscope.policy")).rdbuf();
  for (const char* action : {kApplyAction, kFinishAction}) {
    EXPECT_THAT(text.str(), HasSubstr("<action id=\"" + std::string(action) + "\">"));
  }
  EXPECT_THAT(text.str(), testing::Not(HasSubstr("auth_admin_keep<")));
  EXPECT_THAT(text.str(), HasSubstr("$(settings)"));
}

}  // namespace
}  // namespace tcpscope
