// Pictures and figures that the window writes where the user says: never through a link, whole or not at all.
#include "app/desktop/user_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ui/views/saved_file.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

class UserFilesTest : public testing::Test {
protected:
  [[nodiscard]] fs::path path(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
  [[nodiscard]] QString named(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
  [[nodiscard]] std::string contentOf(const char* name) const {
    std::ostringstream content;
    content << std::ifstream(path(name), std::ios::binary).rdbuf();
    return content.str();
  }
  /// Stands for a plot.
  static bool draw(const PictureFile& file) {
    std::ofstream(file.path.toStdString())
        << (file.format == PictureFormat::pdf ? "%PDF-" : "PNG") << file.title.toStdString();
    return true;
  }

  QTemporaryDir m_folder;
  UserFiles m_files;
};

TEST_F(UserFilesTest, APictureIsWritten) {
  EXPECT_EQ(writePicture(&m_files, named("scope.png"), QStringLiteral(" of curl"), draw), QString());
  EXPECT_EQ(writePicture(&m_files, named("scope.PDF"), {}, draw), QString());
  EXPECT_EQ(contentOf("scope.png"), "PNG of curl");
  EXPECT_EQ(contentOf("scope.PDF"), "%PDF-");
  EXPECT_EQ(fs::status(path("scope.png")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(UserFilesTest, APictureDoesNotFollowALink) {
  std::ofstream(path("mine")) << "mine";
  fs::create_symlink(path("mine"), path("scope.png"));
  EXPECT_THAT(writePicture(&m_files, named("scope.png"), {}, draw).toStdString(), testing::HasSubstr("scope.png"));
  EXPECT_EQ(contentOf("mine"), "mine");
  EXPECT_TRUE(fs::is_symlink(path("scope.png")));
}

TEST_F(UserFilesTest, FiguresDoNotFollowALink) {
  std::ofstream(path("mine")) << "mine";
  fs::create_symlink(path("mine"), path("samples.csv"));
  EXPECT_FALSE(writeFile(&m_files, named("samples.csv"), "1,2\n").isEmpty());
  EXPECT_EQ(contentOf("mine"), "mine");
}

TEST_F(UserFilesTest, AFileThatCannotBeWrittenIsNamedWithTheReason) {
  const auto written = m_files.write(path("missing/scope.png"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().errorNumber, ENOENT);
  EXPECT_EQ(writePicture(&m_files, named("a.png"), {}, [](const PictureFile&) { return false; })
                .contains(QStringLiteral("cannot be drawn")),
            true);
  EXPECT_FALSE(fs::exists(path("a.png")));
}

}  // namespace
}  // namespace tcpscope
