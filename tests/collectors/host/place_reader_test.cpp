#include "collectors/host/place_reader.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

namespace tcpscope {
namespace {

/// A /proc tree and a folder of named namespaces of its own.
class PlaceReader : public ::testing::Test {
protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "tcpscope-place-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    m_root = path;
    std::filesystem::create_directories(m_root / "proc/sys/kernel/random");
    std::filesystem::create_directories(m_root / "proc/self/ns");
    std::filesystem::create_directories(m_root / "netns");
  }
  void TearDown() override { std::filesystem::remove_all(m_root); }

  void write(const std::string& file, const std::string& text) const { std::ofstream(m_root / file) << text; }
  [[nodiscard]] Place read() const { return readPlace(PlaceId{3}, m_root / "proc", m_root / "netns"); }

  std::filesystem::path m_root;
};

TEST_F(PlaceReader, ReadsHostBootAndKernelWithoutTheirLineEnds) {
  write("proc/sys/kernel/hostname", "web-3\n");
  write("proc/sys/kernel/random/boot_id", "5f0c1a52-0000-4000-8000-000000000001\n");
  write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  const Place place = read();
  EXPECT_EQ(place.id, PlaceId{3});
  EXPECT_EQ(place.host, UntrustedText("web-3"));
  EXPECT_EQ(place.bootId, "5f0c1a52-0000-4000-8000-000000000001");
  EXPECT_EQ(place.kernel, UntrustedText("6.1.0-18-amd64"));
}

TEST_F(PlaceReader, NamesTheNamespaceWhereItHasAName) {
  write("proc/self/ns/net", "");
  write("netns/other", "");
  // As `ip netns` does it: the name is the very file of the namespace.
  std::filesystem::create_hard_link(m_root / "proc/self/ns/net", m_root / "netns/blue");
  EXPECT_EQ(read().networkNamespace, "blue");
}

TEST_F(PlaceReader, GivesTheNumberOfANamespaceWithoutAName) {
  write("proc/self/ns/net", "");
  write("netns/other", "");
  struct stat status {};
  ASSERT_EQ(stat((m_root / "proc/self/ns/net").c_str(), &status), 0);
  EXPECT_EQ(read().networkNamespace, std::to_string(status.st_ino));
}

TEST_F(PlaceReader, LeavesEmptyWhatCannotBeRead) {
  std::filesystem::remove_all(m_root / "netns");
  const Place place = read();
  EXPECT_TRUE(place.host.empty());
  EXPECT_TRUE(place.kernel.empty());
  EXPECT_EQ(place.bootId, "");
  EXPECT_EQ(place.networkNamespace, "");
}

TEST(PlaceReaderHere, KnowsThisMachine) {
  const Place place = readPlace(PlaceId{0});
  EXPECT_FALSE(place.host.empty());
  EXPECT_FALSE(place.kernel.empty());
  EXPECT_EQ(place.bootId.size(), 36U);
  EXPECT_FALSE(place.networkNamespace.empty());
}

}  // namespace
}  // namespace tcpscope
