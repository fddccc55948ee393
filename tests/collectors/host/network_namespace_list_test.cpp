#include "collectors/host/network_namespace_list.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace tcpscope {
namespace {

using testing::ElementsAre;

/// A /proc and a /run/netns of the test's own making.
class NetworkNamespaceListTest : public testing::Test {
protected:
  NetworkNamespaceListTest() {
    std::string folder = (std::filesystem::temp_directory_path() / "namespaces-XXXXXX").string();
    m_root = mkdtemp(folder.data());
    std::filesystem::create_directories(m_root / "netns");
    process("self", "net:[4026531840]");
  }
  ~NetworkNamespaceListTest() override { std::filesystem::remove_all(m_root); }

  void process(const std::string& pid, const std::string& link) {
    std::filesystem::create_directories(m_root / "proc" / pid / "ns");
    std::filesystem::create_symlink(link, m_root / "proc" / pid / "ns" / "net");
  }
  /// The inode that it has.
  std::uint64_t name(const std::string& text) {
    const std::filesystem::path file = m_root / "netns" / text;
    std::ofstream(file).put('\n');
    struct stat status {};
    return stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
  }
  NetworkNamespaceList list() { return listNetworkNamespaces(m_root / "proc", m_root / "netns"); }

private:
  std::filesystem::path m_root;
};

TEST_F(NetworkNamespaceListTest, HoldsEachNamespaceOfAProcessOnceAndNotTheCallersOwn) {
  process("1", "net:[4026531840]");
  process("310", "net:[4026532300]");
  process("31", "net:[4026532300]");
  process("400", "net:[4026532400]");
  EXPECT_THAT(list().others, ElementsAre(ListedNamespace{4026532300, std::nullopt, 31},
                                         ListedNamespace{4026532400, std::nullopt, 400}));
  EXPECT_FALSE(list().mayBeMore);
}

TEST_F(NetworkNamespaceListTest, KnowsTheNameOfOneWithOrWithoutAProcess) {
  const std::uint64_t blue = name("blue");
  const std::uint64_t red = name("red");
  process("77", "net:[" + std::to_string(red) + "]");
  EXPECT_THAT(list().others, testing::UnorderedElementsAre(ListedNamespace{blue, "blue", std::nullopt},
                                                           ListedNamespace{red, "red", 77}));
}

TEST_F(NetworkNamespaceListTest, PassesOverWhatIsNoNamespace) {
  process("88", "net:[nonsense]");
  process("89", "mnt:[4026532300]");
  process("irq", "net:[4026532300]");
  EXPECT_THAT(list().others, ElementsAre());
}

}  // namespace
}  // namespace tcpscope
