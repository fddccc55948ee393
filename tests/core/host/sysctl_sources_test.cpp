#include "core/host/sysctl_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kKey = "net.ipv4.tcp_rmem";
constexpr std::string_view kFilter = "net.ipv4.conf.eth0.rp_filter";

SysctlSourceFile file(SysctlFolder folder, std::string name, std::string text) {
  return {folder, UntrustedText(std::move(name)), SysctlFileState::read, std::move(text)};
}

SysctlSourceFile file(SysctlFolder folder, std::string name, SysctlFileState state) {
  return {folder, UntrustedText(std::move(name)), state, {}};
}

/// "/etc/sysctl.d/a.conf:1 = 4096 wins"
std::string shown(const SysctlSource& source) {
  constexpr std::array<std::string_view, 3> kRoles = {"wins", "replaced", "outdone"};
  return source.path.rawBytes() + ":" + std::to_string(source.line) + " = " +
         (source.value ? source.value->rawBytes() : "(out)") + " " +
         std::string(kRoles.at(static_cast<std::size_t>(source.role)));
}

std::vector<std::string> shown(const std::vector<SysctlSource>& sources) {
  std::vector<std::string> lines;
  for (const SysctlSource& source : sources) lines.push_back(shown(source));
  return lines;
}

std::vector<std::string> shown(const std::vector<UntrustedText>& paths) {
  std::vector<std::string> lines;
  for (const UntrustedText& path : paths) lines.push_back(path.rawBytes());
  return lines;
}

TEST(SysctlSources, AreInTheOrderOfTheirNamesWhateverTheFolder) {
  const SysctlSources sources({SysctlBootTool::systemd,
                               {file(SysctlFolder::etc, "10-a.conf", "net.ipv4.tcp_rmem = 1\nnet.ipv4.tcp_rmem = 2\n"),
                                file(SysctlFolder::usrLib, "50-b.conf", "\nnet/ipv4/tcp_rmem = 3"),
                                file(SysctlFolder::run, "09-c.conf", "net.ipv4.tcp_rmem = 4"),
                                file(SysctlFolder::etc, "9-d.conf", "net.ipv4.tcp_wmem = 5")}});
  EXPECT_THAT(shown(sources.of(kKey)),
              ElementsAre("/run/sysctl.d/09-c.conf:1 = 4 replaced", "/etc/sysctl.d/10-a.conf:1 = 1 replaced",
                          "/etc/sysctl.d/10-a.conf:2 = 2 replaced", "/usr/lib/sysctl.d/50-b.conf:2 = 3 wins"));
  ASSERT_TRUE(sources.settingOf(kKey));
  EXPECT_EQ(sources.settingOf(kKey)->value, UntrustedText("3"));
  EXPECT_EQ(sources.settingOf("net.core.rmem_max"), std::nullopt);
}

TEST(SysctlSources, OfANameCountOnceFromTheFirstFolder) {
  for (const bool isReversed : {false, true}) {
    SysctlSourceFiles files{SysctlBootTool::systemd,
                            {file(SysctlFolder::lib, "50-a.conf", "net.ipv4.tcp_rmem = 1"),
                             file(SysctlFolder::usrLib, "50-a.conf", "net.ipv4.tcp_rmem = 2"),
                             file(SysctlFolder::usrLocalLib, "50-a.conf", "net.ipv4.tcp_rmem = 3"),
                             file(SysctlFolder::run, "50-a.conf", "net.ipv4.tcp_rmem = 4")}};
    if (isReversed) std::reverse(files.files.begin(), files.files.end());
    EXPECT_THAT(shown(SysctlSources(files).of(kKey)), ElementsAre("/run/sysctl.d/50-a.conf:1 = 4 wins"));
    files.files.push_back(file(SysctlFolder::etc, "50-a.conf", SysctlFileState::masked));
    EXPECT_THAT(SysctlSources(files).of(kKey), IsEmpty());
  }
}

TEST(SysctlSources, ReadSysctlConfAsTheToolDoes) {
  SysctlSourceFiles files{SysctlBootTool::systemd, {file(SysctlFolder::etc, "zz.conf", "net.ipv4.tcp_rmem = 1")}};
  files.sysctlConf = file(SysctlFolder::etc, "sysctl.conf", "net.ipv4.tcp_rmem = 2");
  EXPECT_THAT(shown(SysctlSources(files).of(kKey)), ElementsAre("/etc/sysctl.d/zz.conf:1 = 1 wins"));
  files.tool = SysctlBootTool::procps;
  EXPECT_THAT(shown(SysctlSources(files).of(kKey)),
              ElementsAre("/etc/sysctl.d/zz.conf:1 = 1 replaced", "/etc/sysctl.conf:1 = 2 wins"));
  EXPECT_THAT(shown(SysctlSources(files).overridesOf(kKey, "zzz.conf").by), ElementsAre("/etc/sysctl.conf:1 = 2 wins"));
}

TEST(SysctlSources, LetPatternsStandBackWhereAKeyIsNamed) {
  SysctlSourceFiles files{SysctlBootTool::systemd,
                          {file(SysctlFolder::etc, "10.conf", "net.ipv4.conf.*.rp_filter = 1"),
                           file(SysctlFolder::etc, "20.conf", "net.ipv4.conf.eth?.rp_filter = 2")}};
  EXPECT_THAT(shown(SysctlSources(files).of(kFilter)),
              ElementsAre("/etc/sysctl.d/10.conf:1 = 1 replaced", "/etc/sysctl.d/20.conf:1 = 2 wins"));
  files.files.push_back(file(SysctlFolder::etc, "05.conf", "net.ipv4.conf.eth0.rp_filter = 0"));
  EXPECT_THAT(shown(SysctlSources(files).of(kFilter)),
              ElementsAre("/etc/sysctl.d/05.conf:1 = 0 wins", "/etc/sysctl.d/10.conf:1 = 1 outdone",
                          "/etc/sysctl.d/20.conf:1 = 2 outdone"));
}

TEST(SysctlSources, LeaveAKeyAloneThatIsTakenOut) {
  const SysctlSources sources({SysctlBootTool::systemd,
                               {file(SysctlFolder::etc, "10.conf", "net.ipv4.conf.*.rp_filter = 1"),
                                file(SysctlFolder::etc, "20.conf", "-net.ipv4.conf.eth0.rp_filter")}});
  EXPECT_THAT(shown(sources.of(kFilter)),
              ElementsAre("/etc/sysctl.d/10.conf:1 = 1 outdone", "/etc/sysctl.d/20.conf:1 = (out) wins"));
  EXPECT_EQ(sources.settingOf(kFilter), std::nullopt);
}

TEST(SysctlSources, KeepARepeatedPatternInItsPlace) {
  const auto winner = [](std::string_view last) {
    const SysctlSources sources(
        {SysctlBootTool::systemd,
         {file(SysctlFolder::etc, "a.conf",
               "net.ipv4.conf.*.rp_filter = 1\nnet.ipv4.conf.e*.rp_filter = 2\n" + std::string(last))}});
    const auto setting = sources.settingOf(kFilter);
    return setting ? setting->line : 0;
  };
  EXPECT_EQ(winner("net.ipv4.conf.*.rp_filter = 1"), 2U);
  EXPECT_EQ(winner("net.ipv4.conf.*.rp_filter = 3"), 3U);
  EXPECT_EQ(winner("-net.ipv4.conf.e*.rp_filter"), 1U);
}

TEST(SysctlSources, FollowProcpsWhereItDiffers) {
  SysctlSourceFiles files{SysctlBootTool::procps,
                          {file(SysctlFolder::etc, "10.conf", "net.ipv4.conf.eth0.rp_filter = 1"),
                           file(SysctlFolder::etc, "20.conf", "-net.ipv4.conf.eth0.rp_filter")}};
  const SysctlSources named(files);
  EXPECT_EQ(named.settingOf(kFilter)->line, 1U);
  EXPECT_THAT(named.overridesOf(kFilter, "15.conf").by, IsEmpty());
  files.files = {file(SysctlFolder::etc, "20.conf",
                      "net.ipv4.conf.*.rp_filter = 1\nnet.ipv4.conf.e*.rp_filter = 2\nnet.ipv4.conf.*.rp_filter = 1")};
  EXPECT_EQ(SysctlSources(files).settingOf(kFilter)->line, 3U);
  files.files.push_back(file(SysctlFolder::etc, "25.conf", "-net.ipv4.conf.*.rp_filter"));
  EXPECT_EQ(SysctlSources(files).settingOf(kFilter)->line, 3U);
  files.files.push_back(file(SysctlFolder::etc, "30.conf", "-net.ipv4.conf.eth0.rp_filter"));
  EXPECT_EQ(SysctlSources(files).settingOf(kFilter), std::nullopt);
}

TEST(SysctlSources, ReportWhatWouldOverrideTheFileOfTcpscope) {
  const SysctlSources sources({SysctlBootTool::systemd,
                               {file(SysctlFolder::etc, "10-a.conf", "net.ipv4.tcp_rmem = 1"),
                                file(SysctlFolder::etc, "90-tcpscope.conf", "net.ipv4.tcp_rmem = 2"),
                                file(SysctlFolder::usrLib, "95-b.conf", "net.ipv4.tcp_?mem = 3"),
                                file(SysctlFolder::etc, "99-sysctl.conf", "# by hand\nnet.ipv4.tcp_rmem = 4\n"),
                                file(SysctlFolder::etc, "zz.conf", "-net.ipv4.tcp_rmem")}});
  EXPECT_THAT(shown(sources.overridesOf(kKey).by),
              ElementsAre("/etc/sysctl.d/99-sysctl.conf:2 = 4 replaced", "/etc/sysctl.d/zz.conf:1 = (out) wins"));
  EXPECT_THAT(sources.overridesOf("net.ipv4.tcp_wmem").by, IsEmpty());
}

TEST(SysctlSources, NameWhatIsNotKnown) {
  SysctlSourceFiles files{SysctlBootTool::procps,
                          {file(SysctlFolder::etc, "10-a.conf", SysctlFileState::unread),
                           file(SysctlFolder::usrLib, "10-a.conf", "net.ipv4.tcp_rmem = 1"),
                           file(SysctlFolder::etc, "99-b.conf", SysctlFileState::unread),
                           file(SysctlFolder::etc, "99-c.conf", "what is this")}};
  files.sysctlConf = file(SysctlFolder::etc, "sysctl.conf", SysctlFileState::unread);
  files.unreadFolders = {SysctlFolder::run};
  const SysctlSources sources(files);
  EXPECT_THAT(sources.of(kKey), IsEmpty());
  EXPECT_THAT(shown(sources.unread()),
              ElementsAre("/run/sysctl.d", "/etc/sysctl.d/10-a.conf", "/etc/sysctl.d/99-b.conf", "/etc/sysctl.conf"));
  EXPECT_THAT(shown(sources.overridesOf(kKey).unread),
              ElementsAre("/run/sysctl.d", "/etc/sysctl.d/99-b.conf", "/etc/sysctl.conf"));
  EXPECT_EQ(sources.skippedLines(), 1U);
}

}  // namespace
}  // namespace tcpscope
