#include "app/remote/command_line_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A build tree of this user, in a folder whose parents are not looked at.
class ProgramForRoot : public testing::Test {
protected:
  void SetUp() override {
    std::string path = (fs::temp_directory_path() / "tcpscope-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    m_top = fs::canonical(path);
    std::ofstream(m_top / "CMakeCache.txt").flush();
    put(m_built);
  }
  void TearDown() override { fs::remove_all(m_top); }

  void put(const fs::path& program) const {
    for (fs::path above; const fs::path& part : program.parent_path()) {
      above /= part;
      fs::create_directories(m_top / above);
      fs::permissions(m_top / above, fs::perms(0755));
    }
    std::ofstream(m_top / program) << "#!/bin/sh\n";
    fs::permissions(m_top / program, fs::perms(0755));
  }
  void allow(const fs::path& path, mode_t mode) const { fs::permissions(m_top / path, fs::perms(mode)); }
  [[nodiscard]] Expected<std::string, std::string> ask(const fs::path& program, uid_t user = geteuid()) const {
    return programForRoot((m_top / program).string(), {user, m_top});
  }
  [[nodiscard]] std::string refusalOf(const fs::path& program, uid_t user = geteuid()) const {
    const auto asked = ask(program, user);
    return asked ? "allowed" : asked.error();
  }
  [[nodiscard]] std::string mayWriteTo(const fs::path& path) const {
    return "other users may write to " + (m_top / path).string() + ";";
  }

  const fs::path m_built = "app/cli/tcpscope-cli";
  fs::path m_top;
};

TEST_F(ProgramForRoot, MayBeTheUsersOwnBuild) {
  EXPECT_EQ(ask(m_built), (m_top / m_built).string());
}

TEST_F(ProgramForRoot, IsGivenWithoutSymbolicLinks) {
  fs::create_symlink(m_top / m_built, m_top / "link");
  EXPECT_EQ(ask("link"), (m_top / m_built).string());
}

TEST_F(ProgramForRoot, NamesTheFileOrFolderThatOthersMayWriteTo) {
  allow("app/cli/tcpscope-cli", 0775);
  EXPECT_THAT(refusalOf(m_built), HasSubstr(mayWriteTo("app/cli/tcpscope-cli")));
  allow("app/cli/tcpscope-cli", 0755);
  allow("app/cli", 0757);
  EXPECT_THAT(refusalOf(m_built), HasSubstr(mayWriteTo("app/cli")));
  allow("app/cli", 0755);
  // Also where only the owner of an entry may remove it, as in /tmp.
  allow("app", 01777);
  EXPECT_THAT(refusalOf(m_built), HasSubstr(mayWriteTo("app")));
  allow("app", 0755);
  EXPECT_TRUE(ask(m_built));
}

TEST_F(ProgramForRoot, IsRefusedBelowAFolderThatOthersMayWriteTo) {
  const auto asked = programForRoot((m_top / m_built).string(), {geteuid(), "/"});
  struct stat status {};
  ASSERT_EQ(stat(m_top.parent_path().c_str(), &status), 0);
  if ((status.st_mode & S_IWOTH) == 0) GTEST_SKIP() << "the folder for temporary files is this user's own";
  ASSERT_FALSE(asked);
  EXPECT_THAT(asked.error(), HasSubstr("other users may write to " + m_top.parent_path().string() + ";"));
}

TEST_F(ProgramForRoot, BelongsToRootUnlessItIsOfABuild) {
  put("bin/tcpscope-cli");
  // A folder of a build, but no build.
  put("download/app/cli/tcpscope-cli");
  if (geteuid() != 0) {
    const std::string owner = "belongs to the user with UID " + std::to_string(geteuid());
    EXPECT_THAT(refusalOf("bin/tcpscope-cli"), HasSubstr((m_top / "bin/tcpscope-cli").string() + " " + owner));
    EXPECT_THAT(refusalOf("download/app/cli/tcpscope-cli"), HasSubstr(owner));
    return;
  }
  EXPECT_TRUE(ask("bin/tcpscope-cli", 1000));
  constexpr uid_t kUser = 1000;
  for (const char* program : {"bin/tcpscope-cli", "download/app/cli/tcpscope-cli", "app/cli/tcpscope-cli"}) {
    if (chown((m_top / program).c_str(), kUser, 0) != 0) GTEST_SKIP() << "no other user here";
  }
  EXPECT_THAT(refusalOf("bin/tcpscope-cli", kUser), HasSubstr("bin/tcpscope-cli belongs to the user with UID 1000"));
  EXPECT_THAT(refusalOf("download/app/cli/tcpscope-cli", kUser), HasSubstr("belongs to the user with UID 1000"));
  EXPECT_TRUE(ask(m_built, kUser));
  EXPECT_THAT(refusalOf(m_built, kUser + 1), HasSubstr("belongs to the user with UID 1000"));
}

TEST_F(ProgramForRoot, IsNoNameThatTheSearchPathExplains) {
  const auto asked = programForRoot("tcpscope-cli");
  ASSERT_FALSE(asked);
  EXPECT_THAT(asked.error(), HasSubstr("not installed beside this program"));
  EXPECT_THAT(refusalOf("app/cli/nothing"), HasSubstr("no such program"));
  EXPECT_THAT(refusalOf("app/cli"), HasSubstr("no such program"));
}

}  // namespace
}  // namespace tcpscope
