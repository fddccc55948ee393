#include "collectors/host/sysctl_source_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// The top of a system of its own.
class SysctlSourceReader : public ::testing::Test {
protected:
  void SetUp() override {
    std::string path = (fs::temp_directory_path() / "tcpscope-sysctl-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    m_root = path;
  }
  void TearDown() override {
    for (const fs::path& closed : m_closed) fs::permissions(closed, fs::perms::owner_all);
    fs::remove_all(m_root);
  }

  void write(const fs::path& path, std::string_view text) const {
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }
  void link(const fs::path& target, const fs::path& path) const {
    fs::create_directories((m_root / path).parent_path());
    fs::create_symlink(target, m_root / path);
  }
  void closeToAll(const fs::path& path) {
    m_closed.push_back(m_root / path);
    fs::permissions(m_root / path, fs::perms::none);
  }
  /// "/etc/sysctl.d/a.conf read 1", in the order of the paths.
  [[nodiscard]] std::vector<std::string> read(const SysctlReadLimits& limits = {}) const {
    constexpr std::array<std::string_view, 3> kStates = {"read", "masked", "unread"};
    std::vector<std::string> lines;
    for (const SysctlSourceFile& file : readSysctlSourceFiles(m_root, limits).files) {
      lines.push_back(std::string(path(file.folder)) + "/" + file.name.rawBytes() + " " +
                      std::string(kStates.at(static_cast<std::size_t>(file.state))) + " " + file.text);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  fs::path m_root;
  std::vector<fs::path> m_closed;
};

TEST_F(SysctlSourceReader, ReadsEveryFolder) {
  write("etc/sysctl.d/a.conf", "1");
  write("etc/sysctl.d/README", "no");
  write("etc/sysctl.d/.hidden.conf", "no");
  write("etc/sysctl.d/b.conf~", "no");
  write("run/sysctl.d/a.conf", "2");
  write("usr/local/lib/sysctl.d/a.conf", "3");
  write("usr/lib/sysctl.d/a.conf", "4");
  write("lib/sysctl.d/a.conf", "5");
  EXPECT_THAT(read(),
              ElementsAre("/etc/sysctl.d/a.conf read 1", "/lib/sysctl.d/a.conf read 5", "/run/sysctl.d/a.conf read 2",
                          "/usr/lib/sysctl.d/a.conf read 4", "/usr/local/lib/sysctl.d/a.conf read 3"));
}

TEST_F(SysctlSourceReader, ReadsNoFolderTwice) {
  write("usr/lib/sysctl.d/a.conf", "1");
  link("usr/lib", "lib");
  EXPECT_THAT(read(), ElementsAre("/usr/lib/sysctl.d/a.conf read 1"));
}

TEST_F(SysctlSourceReader, FollowsSymlinksAndReportsMaskedFiles) {
  write("etc/sysctl.conf", "net.ipv4.tcp_sack = 1\n");
  link("../sysctl.conf", "etc/sysctl.d/99-sysctl.conf");
  link("/dev/null", "etc/sysctl.d/mask.conf");
  link("nowhere", "etc/sysctl.d/dangling.conf");
  link("loop.conf", "etc/sysctl.d/loop.conf");
  fs::create_directories(m_root / "etc/sysctl.d/folder.conf");
  ASSERT_EQ(mkfifo((m_root / "etc/sysctl.d/pipe.conf").c_str(), 0600), 0);
  EXPECT_THAT(read(), ElementsAre("/etc/sysctl.d/99-sysctl.conf read net.ipv4.tcp_sack = 1\n",
                                  "/etc/sysctl.d/dangling.conf masked ", "/etc/sysctl.d/folder.conf masked ",
                                  "/etc/sysctl.d/loop.conf unread ", "/etc/sysctl.d/mask.conf masked ",
                                  "/etc/sysctl.d/pipe.conf masked "));
  const SysctlSourceFiles files = readSysctlSourceFiles(m_root);
  ASSERT_TRUE(files.sysctlConf);
  EXPECT_EQ(files.sysctlConf->text, "net.ipv4.tcp_sack = 1\n");
}

TEST_F(SysctlSourceReader, ReportsFilesBeyondTheLimitsAsUnread) {
  write("etc/sysctl.d/a.conf", "12345");
  write("run/sysctl.d/b.conf", "1234");
  SysctlReadLimits limits;
  limits.bytesOfFile = 4;
  EXPECT_THAT(read(limits), ElementsAre("/etc/sysctl.d/a.conf unread ", "/run/sysctl.d/b.conf read 1234"));
  limits = {};
  limits.bytesInAll = 8;
  EXPECT_THAT(read(limits), ElementsAre("/etc/sysctl.d/a.conf read 12345", "/run/sysctl.d/b.conf unread "));
  limits = {};
  limits.files = 1;
  EXPECT_THAT(read(limits), ElementsAre("/etc/sysctl.d/a.conf read 12345"));
  EXPECT_THAT(readSysctlSourceFiles(m_root, limits).unreadFolders, ElementsAre(SysctlFolder::run));
}

TEST_F(SysctlSourceReader, ReportsUnreadableFilesAsUnread) {
  if (geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  write("etc/sysctl.d/a.conf", "1");
  write("run/sysctl.d/b.conf", "1");
  closeToAll("etc/sysctl.d/a.conf");
  closeToAll("run/sysctl.d");
  EXPECT_THAT(read(), ElementsAre("/etc/sysctl.d/a.conf unread "));
  EXPECT_THAT(readSysctlSourceFiles(m_root).unreadFolders, ElementsAre(SysctlFolder::run));
}

TEST_F(SysctlSourceReader, ReadsOnlyWhatEveryUserMayReadWhereThatIsAsked) {
  fs::permissions(m_root, fs::perms(0755));
  write("etc/sysctl.d/open.conf", "1");
  write("etc/sysctl.d/secret.conf", "1");
  fs::permissions(m_root / "etc/sysctl.d/secret.conf", fs::perms(0640));
  // Readable by its own permissions, behind a folder that is not.
  write("closed/hidden.conf", "1");
  fs::permissions(m_root / "closed", fs::perms(0700));
  link("../../closed/hidden.conf", "etc/sysctl.d/linked.conf");
  write("run/sysctl.d/unlisted.conf", "1");
  fs::permissions(m_root / "run/sysctl.d", fs::perms(0711));
  write("etc/sysctl.conf", "1");
  fs::permissions(m_root / "etc/sysctl.conf", fs::perms(0600));
  SysctlReadLimits limits;
  limits.onlyWorldReadable = true;
  EXPECT_THAT(read(limits), ElementsAre("/etc/sysctl.d/linked.conf unread ", "/etc/sysctl.d/open.conf read 1",
                                        "/etc/sysctl.d/secret.conf unread "));
  const SysctlSourceFiles files = readSysctlSourceFiles(m_root, limits);
  EXPECT_THAT(files.unreadFolders, ElementsAre(SysctlFolder::run));
  ASSERT_TRUE(files.sysctlConf);
  EXPECT_EQ(files.sysctlConf->state, SysctlFileState::unread);
  EXPECT_EQ(files.sysctlConf->text, "");
  EXPECT_EQ(read().size(), 4U) << "the owner reads them all";
}

TEST_F(SysctlSourceReader, FindsTheToolThatAppliesThem) {
  EXPECT_EQ(readSysctlSourceFiles(m_root).tool, SysctlBootTool::procps);
  EXPECT_FALSE(readSysctlSourceFiles(m_root).sysctlConf);
  EXPECT_THAT(readSysctlSourceFiles(m_root).unreadFolders, IsEmpty());
  fs::create_directories(m_root / "run/systemd/system");
  EXPECT_EQ(readSysctlSourceFiles(m_root).tool, SysctlBootTool::systemd);
}

TEST_F(SysctlSourceReader, FindsTheFileThatSetsAKey) {
  fs::create_directories(m_root / "run/systemd/system");
  write("usr/lib/sysctl.d/50-a.conf", "net.ipv4.tcp_rmem = 1 2 3\n");
  write("etc/sysctl.conf", "# mine\nnet.ipv4.tcp_rmem = 4 5 6\n");
  link("../sysctl.conf", "etc/sysctl.d/99-sysctl.conf");
  const auto setting = SysctlSources(readSysctlSourceFiles(m_root)).settingOf("net.ipv4.tcp_rmem");
  ASSERT_TRUE(setting);
  EXPECT_EQ(setting->path.rawBytes(), "/etc/sysctl.d/99-sysctl.conf");
  EXPECT_EQ(setting->line, 2U);
  EXPECT_EQ(setting->value, UntrustedText("4 5 6"));
}

TEST_F(SysctlSourceReader, ReadsThisMachine) {
  for (const SysctlSourceFile& file : readSysctlSourceFiles().files) {
    EXPECT_TRUE(file.name.rawBytes().ends_with(".conf"));
  }
}

TEST_F(SysctlSourceReader, FindsOtherTuners) {
  EXPECT_EQ(otherTuners(m_root).sawAllProcesses, false);
  write("proc/1/comm", "systemd\n");
  write("proc/20/comm", "not-tuned\n");
  write("proc/net/comm", "tuned\n");
  EXPECT_THAT(otherTuners(m_root).found, IsEmpty());
  EXPECT_TRUE(otherTuners(m_root).sawAllProcesses);
  fs::create_directories(m_root / "run/tuned");
  EXPECT_THAT(otherTuners(m_root).found, ElementsAre(FoundTuner{OtherTuner::tuned, TunerEvidence::runFolder}));
  write("proc/300/comm", "tuned\n");
  write("proc/4000/comm", "bpftune\n");
  EXPECT_THAT(otherTuners(m_root).found, ElementsAre(FoundTuner{OtherTuner::tuned, TunerEvidence::process},
                                                     FoundTuner{OtherTuner::bpftune, TunerEvidence::process}));
}

TEST_F(SysctlSourceReader, DoesNotClaimToHaveSeenHiddenProcesses) {
  write("proc/4000/comm", "bash\n");
  EXPECT_FALSE(otherTuners(m_root).sawAllProcesses);
  EXPECT_THAT(otherTuners(m_root).found, IsEmpty());
}

}  // namespace
}  // namespace tcpscope
