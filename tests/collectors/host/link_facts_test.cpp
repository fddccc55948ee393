// How interfaces are set, as a recording has it: of a host made of files, and of this machine.
#include "collectors/host/link_facts.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

class LinkFactsTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-links-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
  }
  void TearDown() override { fs::remove_all(m_root); }
  void adapter(const std::string& name, const std::string& driver) const {
    fs::create_directories(folder(name) / "device");
    fs::create_symlink("../../../bus/pci/drivers/" + driver, folder(name) / "device/driver");
  }
  void write(const std::string& name, const std::string& file, const std::string& text) const {
    fs::create_directories(folder(name));
    std::ofstream(folder(name) / file) << text;
  }
  [[nodiscard]] fs::path folder(const std::string& name) const { return m_root / "sys/class/net" / name; }

  fs::path m_root;
};

TEST_F(LinkFactsTest, ReportTheSettingsOfAnAdapter) {
  adapter("eth0.7", "ixgbe");
  write("eth0.7", "mtu", "9000\n");
  write("eth0.7", "speed", "10000\n");
  write("eth0.7", "duplex", "full\n");
  const SysctlValues values = sysctlValues(readLinkFacts(m_root, {}));
  EXPECT_EQ(values.number("link.eth0.7.mtu"), 9000U);
  EXPECT_EQ(values.text("link.eth0.7.speed"), "10000 Mbit/s");
  EXPECT_EQ(values.text("link.eth0.7.duplex"), "full");
  EXPECT_EQ(values.text("link.eth0.7.driver"), "ixgbe");
  EXPECT_EQ(values.text("link.eth0.7.qdisc"), std::nullopt) << "no answer";
}

TEST_F(LinkFactsTest, LeaveOutWhatIsNotKnownAndWhatHasNoHardware) {
  adapter("eth1", "e1000");
  write("eth1", "speed", "-1\n");
  write("eth1", "duplex", "unknown\n");
  write("veth0", "mtu", "1500\n");
  const HostFacts facts = readLinkFacts(m_root, {});
  ASSERT_EQ(facts.size(), 1U);
  EXPECT_EQ(facts[0], (HostFact{UntrustedText("link.eth1.driver"), UntrustedText("e1000")}));
}

TEST_F(LinkFactsTest, OfAHostWithHundredsOfAdaptersAreBounded) {
  for (int number = 0; number < 100; ++number) {
    adapter("eth" + std::to_string(number), "e1000");
    write("eth" + std::to_string(number), "mtu", "1500\n");
  }
  EXPECT_EQ(readLinkFacts(m_root, {}).size(), 2 * kMostLinkFacts);
}

TEST(LinkFacts, OfThisMachineHaveAnMtuEach) {
  const SysctlValues values = sysctlValues(readLinkFacts("/", ownHostAccess()));
  std::size_t drivers = 0;
  std::size_t mtus = 0;
  for (const auto& [key, value] : values.all()) {
    drivers += key.ends_with(".driver") ? 1U : 0U;
    mtus += key.ends_with(".mtu") ? 1U : 0U;
  }
  if (drivers == 0) GTEST_SKIP() << "this machine has no network adapter";
  EXPECT_EQ(mtus, drivers);
}

}  // namespace
}  // namespace tcpscope
