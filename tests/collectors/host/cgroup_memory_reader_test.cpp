// The memory of a control group, from trees of files made here.
#include "collectors/host/cgroup_memory_reader.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

class CgroupMemoryReader : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-cgroup-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
    write("cgroup", "4:memory:/old\n0::/system.slice/nginx.service\n");
  }
  void TearDown() override { fs::remove_all(m_root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }
  [[nodiscard]] Reported<GroupMemoryReading> read() const {
    return readGroupMemory(m_root / "cgroup", m_root / "tree");
  }

  fs::path m_root;
};

TEST_F(CgroupMemoryReader, ReportsTheGroupWithTheLeastHeadroom) {
  const std::string own = "tree/system.slice/nginx.service/";
  write(own + "memory.stat", "anon 300\nfile 700\nsock 4096\ninactive_file 400\nactive_file 200\n");
  write(own + "memory.current", "1000\n");
  write(own + "memory.max", "max\n");
  write(own + "memory.high", "5000\n");
  write(own + "memory.events.local", "low 0\nhigh 3\nmax 1\noom 9\n");
  write("tree/system.slice/memory.stat", "sock 8192\n");
  write("tree/system.slice/memory.current", "1900\n");
  write("tree/system.slice/memory.max", "2000\n");
  write("tree/system.slice/memory.events.local", "high 0\nmax 2\n");
  write("tree/cgroup.controllers", "memory\n");
  const auto reading = read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sockets, Bytes(4096));
  EXPECT_EQ(reading->limit, Bytes(2000));
  EXPECT_EQ(reading->used, Bytes(1900));
  EXPECT_EQ(reading->timesAtLimit, 6U);
}

TEST_F(CgroupMemoryReader, DoesNotCountTheFileCacheAsUsed) {
  const std::string own = "tree/system.slice/nginx.service/";
  write(own + "memory.stat", "inactive_file 400\nactive_file 200\n");
  write(own + "memory.current", "1000\n");
  write(own + "memory.max", "1000\n");
  const auto reading = read();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->used, Bytes(400));
  EXPECT_EQ(reading->sockets, std::nullopt);
  EXPECT_EQ(reading->timesAtLimit, std::nullopt);
}

TEST_F(CgroupMemoryReader, IgnoresCgroupVersion1) {
  write("tree/unified/cgroup.controllers", "\n");
  fs::create_directories(m_root / "tree/unified/system.slice/nginx.service");
  EXPECT_EQ(read().error(), UnknownReason::notSupported);
  write("cgroup", "4:memory:/old\n");
  EXPECT_EQ(read().error(), UnknownReason::notReported);
}

TEST_F(CgroupMemoryReader, LeavesNoTreeByAPathThatPointsUp) {
  EXPECT_EQ(groupPathOf("0::/../../etc\n"), std::nullopt);
  EXPECT_EQ(groupPathOf("0::/a/..\n"), std::nullopt);
  EXPECT_EQ(groupPathOf("0::/\n"), "/");
  EXPECT_EQ(groupPathOf("12:cpu:/x\n0::/user.slice/a b"), "/user.slice/a b");
}

TEST_F(CgroupMemoryReader, FindsAKeyOnlyWhole) {
  EXPECT_EQ(keyedValue("sockets 5\nsock 7\n", "sock"), 7U);
  EXPECT_EQ(keyedValue("sock x\n", "sock"), std::nullopt);
  EXPECT_EQ(keyedValue("", "sock"), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
