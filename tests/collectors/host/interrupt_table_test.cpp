// /proc/interrupts of several machines, cut to a few lines.
#include "collectors/host/interrupt_table.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Counts = std::vector<std::uint64_t>;

TEST(InterruptTable, ReadsAVirtualMachine) {
  const InterruptTable table = interruptTableIn(
      "           CPU0       CPU1       \n"
      " 26:          0        214  IO-APIC   4-edge      ttyS0\n"
      " 38:          0       4734 PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0\n"
      "NMI:          0          0   Non-maskable interrupts\n"
      "ERR:          0\n");
  EXPECT_EQ(table.processors, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_EQ(table.lines.size(), 2U);
  EXPECT_EQ(table.lines[1].number, 38U);
  EXPECT_EQ(table.lines[1].counts, (Counts{0, 4734}));
  EXPECT_EQ(table.lines[1].what.rawBytes(), "PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0");
}

// A server with an adapter of several queues; processor 1 is offline.
TEST(InterruptTable, ReadsAServerWithAnOfflineProcessor) {
  const InterruptTable table = interruptTableIn(
      "            CPU0       CPU2       CPU3       \n"
      "   8:          1          0          0  IR-IO-APIC    8-edge      rtc0\n"
      " 131:   73218311          2          0  IR-PCI-MSI-0000:3b:00.0    1-edge      eth0-TxRx-0\n"
      " 132:          0   80012345          0  IR-PCI-MSI-0000:3b:00.0    2-edge      eth0-TxRx-1\n"
      " LOC:  1234567890  123  321   Local timer interrupts\n");
  EXPECT_EQ(table.processors, (std::vector<std::uint32_t>{0, 2, 3}));
  ASSERT_EQ(table.lines.size(), 3U);
  EXPECT_EQ(table.lines[2].counts, (Counts{0, 80'012'345, 0}));
  EXPECT_TRUE(namesInterface(table.lines[2], UntrustedText("eth0")));
}

// A single-board computer: a controller without MSI, and interrupts between processors by name.
TEST(InterruptTable, ReadsASingleBoardComputer) {
  const InterruptTable table = interruptTableIn(
      "           CPU0       CPU1       CPU2       CPU3       \n"
      " 30:     812345          0          0          0     GICv2 189 Level     eth0\n"
      " 31:          9          0          0          0     GICv2 190 Level     eth0\n"
      "IPI0:     43210      12345      23456      34567  Rescheduling interrupts\n");
  ASSERT_EQ(table.lines.size(), 2U);
  EXPECT_EQ(table.lines[0].counts, (Counts{812'345, 0, 0, 0}));
}

TEST(InterruptTable, MatchesWholeInterfaceNamesOnly) {
  InterruptLine line;
  line.what = UntrustedText("IR-PCI-MSI 1-edge enp3s0f1-rx-0");
  EXPECT_TRUE(namesInterface(line, UntrustedText("enp3s0f1")));
  for (const char* other : {"enp3s0f", "enp3s0", "np3s0f1", "enp3s0f11", ""}) {
    EXPECT_FALSE(namesInterface(line, UntrustedText(other))) << other;
  }
}

TEST(InterruptTable, LeavesOutWhatDoesNotRead) {
  EXPECT_TRUE(interruptTableIn("").lines.empty());
  EXPECT_TRUE(interruptTableIn("nonsense\n 1: 2 3 x\n").lines.empty());
  const InterruptTable table = interruptTableIn(
      "CPU0 CPU1\n"
      " 1: 5\n"
      " 2: 5 x6 a\n"
      " 4294967296: 5 6 b\n"
      " 3: 5 99999999999999999999 c\n"
      " -4: 5 6 d\n"
      " 5: 5 6\n"
      " 6: 5 6 cut off");
  ASSERT_EQ(table.lines.size(), 1U);
  EXPECT_EQ(table.lines[0].number, 5U);
  EXPECT_TRUE(table.lines[0].what.empty());
  std::string wide;
  for (int processor = 0; processor < 9000; ++processor) wide += "CPU0 ";
  EXPECT_TRUE(interruptTableIn(wide + "\n").processors.empty());
}

}  // namespace
}  // namespace tcpscope
