// Who sits behind the same bridge, from trees of files made here.
#include "collectors/host/bus_neighbour_reader.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

class BusNeighbourReader : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-bus-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
    // A root port with a card of two ports, a disk and another bridge.
    device("", "0x060400");
    device("0000:3b:00.0", "0x020000");
    device("0000:3b:00.1", "0x020000");
    device("0000:3b:01.0", "0x010802");
    device("0000:3b:02.0", "0x060400");
    fs::create_directories(bridge() / "0000:3b:00.1/net/eth1");
    fs::create_directories(bridge() / "power");
    write(bridge() / "0000:3b:00.1/numa_node", "0\n");
    fs::create_directory_symlink(bridge() / "0000:3b:00.0", m_root / "device");
  }
  void TearDown() override { fs::remove_all(m_root); }
  [[nodiscard]] fs::path bridge() const { return m_root / "devices/pci0000:3a/0000:3a:00.0"; }
  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void device(const std::string& address, const std::string& deviceClass) const {
    write(bridge() / address / "class", deviceClass + "\n");
  }
  [[nodiscard]] Reported<std::vector<BusNeighbour>> read() const { return readBusNeighbours(m_root / "device"); }

  fs::path m_root;
};

TEST_F(BusNeighbourReader, NamesWhoSitsBehindTheSameBridge) {
  const auto neighbours = read();
  ASSERT_TRUE(neighbours);
  ASSERT_EQ(neighbours->size(), 2U);
  EXPECT_EQ((*neighbours)[0].kind, DeviceKind::network);
  EXPECT_EQ((*neighbours)[0].address.rawBytes(), "0000:3b:00.1");
  ASSERT_EQ((*neighbours)[0].interfaces.size(), 1U);
  EXPECT_EQ((*neighbours)[0].interfaces[0].rawBytes(), "eth1");
  EXPECT_EQ((*neighbours)[1].kind, DeviceKind::storage);
  EXPECT_TRUE((*neighbours)[1].interfaces.empty());
}

TEST_F(BusNeighbourReader, UsesTheParentOfAVirtioDevice) {
  fs::remove(m_root / "device");
  fs::create_directories(bridge() / "0000:3b:00.0/virtio2");
  fs::create_directory_symlink(bridge() / "0000:3b:00.0/virtio2", m_root / "device");
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->size(), 2U);
}

TEST_F(BusNeighbourReader, ReportsAnAdapterWithoutNeighbours) {
  fs::remove_all(bridge() / "0000:3b:00.1");
  fs::remove_all(bridge() / "0000:3b:01.0");
  ASSERT_TRUE(read());
  EXPECT_TRUE(read()->empty());
  // At the root, where no bridge is above.
  device("0000:3b:01.0", "0x010802");
  fs::remove(bridge() / "class");
  ASSERT_TRUE(read());
  EXPECT_TRUE(read()->empty());
}

TEST_F(BusNeighbourReader, ReportsNothingWithoutAPciDevice) {
  write(bridge() / "0000:3b:00.0/class", "nonsense\n");
  write(bridge() / "class", "\n");
  EXPECT_FALSE(read());
  fs::remove(m_root / "device");
  EXPECT_FALSE(read());
}

}  // namespace
}  // namespace tcpscope
