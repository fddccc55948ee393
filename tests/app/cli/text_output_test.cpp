#include "app/cli/text_output.h"

#include <gtest/gtest.h>

#include <string>

namespace tcpscope {
namespace {

std::string printed(const TextTable& table, std::size_t width) {
  TextBuffer out;
  table.print(out, width);
  return {out.data(), out.size()};
}

TextTable connections() {
  TextTable table({{.title = "PROCESS", .least = 8, .goes = 1},
                   {.title = "REMOTE", .least = 13},
                   {.title = "RATE", .right = true},
                   {.title = "LIMITED BY"}});
  for (const std::string_view cell : {"postgres (4711)", "192.0.2.117:40112", "17.1 Mbit/s", "send buffer 100 %"}) {
    append(table.cell(), cell);
    table.endCell();
  }
  return table;
}

TEST(TextTable, IsAsWideAsItsCellsWhereThereIsRoom) {
  EXPECT_EQ(printed(connections(), 80),
            "PROCESS          REMOTE                    RATE  LIMITED BY\n"
            "postgres (4711)  192.0.2.117:40112  17.1 Mbit/s  send buffer 100 %\n");
}

TEST(TextTable, ShortensAddressesInTheMiddleSoThatPortsStay) {
  EXPECT_EQ(printed(connections(), 58),
            "PROCESS      REMOTE                RATE  LIMITED BY\n"
            "postg…4711)  192.0.…:40112  17.1 Mbit/s  send buffer 100 %\n");
}

TEST(TextTable, LeavesOutWhatMayGoBeforeItCutsALine) {
  EXPECT_EQ(printed(connections(), 46),
            "REMOTE                 RATE  LIMITED BY\n"
            "192.0.2…:40112  17.1 Mbit/s  send buffer 100 %\n");
  EXPECT_EQ(printed(connections(), 30),
            "REMOTE                RATE  LI\n"
            "192.0.…:40112  17.1 Mbit/s  se\n");
}

TextTable checks() {
  TextTable table({{"STATE"}, prose("FOUND")});
  for (const std::string_view cell :
       {"warn", "0 of 5 destinations below 100 segments", "pass", "none", "-", "/sys/kernel/tracing is missing"}) {
    append(table.cell(), cell);
    table.endCell();
  }
  return table;
}

TEST(TextTable, BreaksProseAtBlanksInsteadOfShorteningIt) {
  EXPECT_EQ(printed(checks(), 29),
            "STATE  FOUND\n"
            "warn   0 of 5 destinations\n"
            "       below 100 segments\n"
            "pass   none\n"
            "-      /sys/kernel/tracing is\n"
            "       missing\n");
}

TEST(TextTable, BreaksAWordThatHasNoRoomInALine) {
  EXPECT_EQ(printed(checks(), 17),
            "STATE  FOUND\n"
            "warn   0 of 5\n"
            "       destinatio\n"
            "       ns below\n"
            "       100\n"
            "       segments\n"
            "pass   none\n"
            "-      /sys/kerne\n"
            "       l/tracing\n"
            "       is missing\n");
}

TEST(TextTable, CountsCharactersAndNotBytes) {
  TextTable table({{.title = "NAME", .least = 3}});
  append(table.cell(), "äöüäöüäöü");
  table.endCell();
  EXPECT_EQ(printed(table, 5), "NAME\näö…öü\n");
}

}  // namespace
}  // namespace tcpscope
