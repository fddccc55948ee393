// The interrupts of adapters, from trees of files made here.
#include "collectors/host/interrupt_reader.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using ByProcessor = std::map<std::uint32_t, std::uint64_t>;

class InterruptReader : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-interrupts-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
    write(
        "proc/stat",
        "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu2 1 1 1 1 1 1 1 1 1 1\ncpu3 1 2\nintr 5\n");
    write("proc/interrupts",
          "      CPU0   CPU2\n"
          " 36:    11     12  PCI-MSIX-0000:00:02.0  1-edge  virtio1-req.0\n"
          " 38:     0   4734  PCI-MSIX-0000:00:03.0  1-edge  virtio2-input.0\n"
          " 39:  3973      0  PCI-MSIX-0000:00:03.0  2-edge  virtio2-output.0\n"
          " 50:     7      8  GICv2 189 Level  eth1\n");
    write("proc/irq/38/smp_affinity_list", "0-1\n");
  }
  void TearDown() override { fs::remove_all(m_root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }
  void link(const std::string& path, const std::string& target) const {
    fs::create_directories((m_root / path).parent_path());
    fs::create_directory_symlink(target, m_root / path);
  }
  [[nodiscard]] HostReading readWith(const std::string& interface) const {
    HostReading reading;
    reading.links.resize(2);
    reading.links[0].name = UntrustedText(interface);
    reading.links[0].isPhysical = true;
    reading.links[1].name = UntrustedText("virtual0");
    addInterrupts(reading, m_root);
    EXPECT_FALSE(reading.links[1].interrupts);
    return reading;
  }

  fs::path m_root;
};

TEST_F(InterruptReader, FindsThoseOfAVirtioDeviceAtTheDeviceAbove) {
  write("sys/devices/pci0000:00/0000:00:03.0/msi_irqs/38", "msix\n");
  write("sys/devices/pci0000:00/0000:00:03.0/msi_irqs/39", "msix\n");
  fs::create_directories(m_root / "sys/bus/virtio");
  link("sys/devices/pci0000:00/0000:00:03.0/virtio2/subsystem", "../../../../bus/virtio");
  link("sys/class/net/eth0/device", "../../../devices/pci0000:00/0000:00:03.0/virtio2");
  const HostReading reading = readWith("eth0");
  ASSERT_TRUE(reading.links[0].interrupts);
  const auto& interrupts = *reading.links[0].interrupts;
  ASSERT_EQ(interrupts.size(), 2U);
  EXPECT_EQ(interrupts[0].byProcessor, (ByProcessor{{0, 0}, {2, 4734}}));
  EXPECT_EQ(interrupts[0].affinity.rawBytes(), "0-1");
  EXPECT_TRUE(interrupts[1].affinity.empty());
}

TEST_F(InterruptReader, FindsThoseOfADeviceOnTheBusAndNotItsBridges) {
  write("sys/devices/pci0000:00/0000:00:01.0/msi_irqs/36", "msi\n");
  write("sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0/msi_irqs/38", "msix\n");
  link("sys/class/net/eth0/device", "../../../devices/pci0000:00/0000:00:01.0/0000:03:00.0");
  const HostReading reading = readWith("eth0");
  ASSERT_TRUE(reading.links[0].interrupts);
  ASSERT_EQ(reading.links[0].interrupts->size(), 1U);
  EXPECT_EQ(reading.links[0].interrupts->front().number, 38U);
}

TEST_F(InterruptReader, FindsThoseThatNameTheInterface) {
  const HostReading reading = readWith("eth1");
  ASSERT_TRUE(reading.links[0].interrupts);
  EXPECT_EQ(reading.links[0].interrupts->front().number, 50U);
}

TEST_F(InterruptReader, ReportsMissingInterruptsAsUnknown) {
  EXPECT_FALSE(readWith("eth7").links[0].interrupts);
  fs::remove(m_root / "proc/interrupts");
  EXPECT_FALSE(readWith("eth1").links[0].interrupts);
}

TEST_F(InterruptReader, ReadsTheTimesOfTheProcessors) {
  const HostReading reading = readWith("eth1");
  ASSERT_EQ(reading.processorTimes.size(), 2U) << "cut lines and the sum are left out";
  EXPECT_EQ(reading.processorTimes.at(0).softirq, 7U);
  EXPECT_EQ(reading.processorTimes.at(0).all, 36U);
  EXPECT_EQ(reading.processorTimes.at(2).all, 8U);
}

}  // namespace
}  // namespace tcpscope
