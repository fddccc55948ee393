#include "core/present/text/remedy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/advice/remedies.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

TEST(RemedyText, GivesLinesThatAShellTakes) {
  EXPECT_EQ(commandLine({SettingKind::sysctl, "net.ipv4.tcp_rmem", std::nullopt, "4096 131072 524288"}),
            "sudo sysctl -w net.ipv4.tcp_rmem=\"4096 131072 524288\"");
  EXPECT_EQ(commandLine({SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"}), "setsockopt: SO_BUF_LOCK = 0");
  EXPECT_EQ(commandLine({SettingKind::socketOption, "SO_RCVBUF", "131072", "unset"}), "setsockopt: remove SO_RCVBUF");
}

TEST(RemedyText, SaysWhatTheGainRestsOn) {
  const BitsPerSecond now(12e6);
  EXPECT_EQ(sentence(ExpectedGain{now, BitsPerSecond(94e6), GainReason::targetRate}),
            "12.0 Mbit/s now, 94.0 Mbit/s if the path carries it");
  EXPECT_EQ(sentence(ExpectedGain{now, BitsPerSecond(40e6), GainReason::nextLimit}),
            "12.0 Mbit/s now, at least 40.0 Mbit/s, the next limit, which may grow");
  EXPECT_EQ(sentence(ExpectedGain{now, BitsPerSecond(95e6), GainReason::pathCapacity}),
            "12.0 Mbit/s now, about 95.0 Mbit/s, which is what the path carries");
  EXPECT_EQ(sentence(ExpectedGain{now, std::nullopt, GainReason::pathDecides}),
            "12.0 Mbit/s now, gain unknown: measure it");
}

TEST(RemedyText, WritesToThePeerOnlyWhatItHasToDo) {
  Remedy remedy;
  remedy.id = RemedyId::receiverElsewhere;
  remedy.place = RemedyPlace::peer;
  remedy.changes = {{SettingKind::sysctl, "net.ipv4.tcp_rmem", std::nullopt, "4096 131072 524288"}};
  EXPECT_THAT(letter(remedy), HasSubstr("sudo sysctl -w net.ipv4.tcp_rmem=\"4096 131072 524288\""));
  remedy.place = RemedyPlace::here;
  EXPECT_EQ(letter(remedy), "");
}

TEST(RemedyText, SaysThatASocketOptionIsOfOneConnection) {
  Remedy remedy;
  remedy.changes = {{SettingKind::socketOption, "TCP_NODELAY", "0", "1"}};
  EXPECT_EQ(reachSentence(remedy), "This connection; the application sets the options of its next ones.");
  remedy.changes = {{SettingKind::sysctl, "net.ipv4.tcp_sack", "0", "1"}};
  EXPECT_EQ(reachSentence(remedy), "This connection and new ones.");
}

TEST(RemedyText, StatesTheMemoryCost) {
  Remedy remedy;
  EXPECT_EQ(memoryText(remedy), "");
  remedy.memoryPerConnection = Bytes(524'288);
  EXPECT_EQ(memoryText(remedy), "up to 512 KiB per connection");
  remedy.connectionsThatFit = 7;
  EXPECT_THAT(memoryText(remedy), HasSubstr("begins above 7 such connections"));
}

TEST(RemedyText, GivesTheLineThatCanBeUndone) {
  SocketObservation connection;
  connection.local = {*IpAddress::parse("::1"), 443};
  connection.remote = {*IpAddress::parse("::2"), 5120};
  Remedy remedy;
  remedy.changes = {{SettingKind::sysctl, "net.ipv4.tcp_rmem", std::nullopt, "4096 131072 524288"}};
  EXPECT_EQ(undoableLine(remedy, connection),
            "sudo tcpscope-cli apply net.ipv4.tcp_rmem='4096 131072 524288' --yes --revert-after 60");
  remedy.place = RemedyPlace::peer;
  EXPECT_EQ(undoableLine(remedy, connection), "") << "nothing to be done here";
  remedy.place = RemedyPlace::program;
  remedy.changes = {{SettingKind::socketOption, "SO_SNDBUF", "131072", "2500000"},
                    {SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"}};
  EXPECT_EQ(undoableLine(remedy, connection),
            "sudo tcpscope-cli tune '[::1]:443-[::2]:5120' SO_SNDBUF='2500000' SO_BUF_LOCK='0'");
  remedy.reach = Reach::afterReconnect;
  EXPECT_EQ(undoableLine(remedy, connection), "") << "nothing that this connection gains by";
}

TEST(RemedyText, HasWordsForEveryRemedy) {
  for (const RemedyRow& row : remedyCatalogue()) {
    Remedy remedy;
    remedy.id = row.id;
    EXPECT_FALSE(title(row.id).empty());
    EXPECT_FALSE(sentence(remedy).empty());
  }
}

}  // namespace
}  // namespace tcpscope
