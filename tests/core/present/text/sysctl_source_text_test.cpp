#include "core/present/text/host_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr std::string_view kKey = "net.ipv4.tcp_sack";

SysctlSourceFile file(std::string name, std::string text, SysctlFileState state = SysctlFileState::read) {
  return {SysctlFolder::etc, UntrustedText(std::move(name)), state, std::move(text)};
}

SysctlSources sourcesOf(std::vector<SysctlSourceFile> files) {
  return SysctlSources({SysctlBootTool::systemd, std::move(files)});
}

TEST(SysctlSourceText, NamesTheLineThatDecides) {
  const SysctlSources sources = sourcesOf({file("10-a.conf", "net.ipv4.tcp_sack = 1")});
  EXPECT_EQ(bootSentence(sources, kKey), "/etc/sysctl.d/10-a.conf:1 sets it to 1 at boot.");
  EXPECT_EQ(bootSentence(sources, "net.ipv4.tcp_ecn"), "No file sets it at boot.");
  EXPECT_EQ(overrideSentence(sources.overridesOf(kKey)), "");
}

TEST(SysctlSourceText, NamesWhatWouldOverride) {
  EXPECT_EQ(overrideSentence(sourcesOf({file("99-z.conf", "\nnet.ipv4.tcp_sack = 0")}).overridesOf(kKey)),
            "/etc/sysctl.d/99-z.conf:2 would override 90-tcpscope.conf at boot with 0.");
  EXPECT_EQ(overrideSentence(sourcesOf({file("99-z.conf", "-net.ipv4.tcp_sack")}).overridesOf(kKey)),
            "/etc/sysctl.d/99-z.conf:1 excludes it from being set at boot.");
}

TEST(SysctlSourceText, SaysWhatIsNotKnown) {
  const SysctlSources sources =
      sourcesOf({file("95-y.conf", "net.ipv4.tcp_sack = 0"), file("99-z.conf", "", SysctlFileState::unread)});
  EXPECT_EQ(bootSentence(sources, kKey),
            "/etc/sysctl.d/95-y.conf:1 sets it to 0 at boot. These files cannot be read: /etc/sysctl.d/99-z.conf.");
  EXPECT_EQ(overrideSentence(sources.overridesOf(kKey)),
            "/etc/sysctl.d/95-y.conf:1 would override 90-tcpscope.conf at boot with 0. These might override "
            "90-tcpscope.conf at boot, and cannot be read: /etc/sysctl.d/99-z.conf.");
}

TEST(SysctlSourceText, LetsNoNameActOnATerminal) {
  const SysctlSources sources = sourcesOf({file("99-\x1b[2J.conf", "net.ipv4.tcp_sack = \x1b[31m0")});
  EXPECT_EQ(bootSentence(sources, kKey).find('\x1b'), std::string::npos);
  EXPECT_EQ(overrideSentence(sources.overridesOf(kKey)).find('\x1b'), std::string::npos);
}

TEST(SysctlSourceText, NamesTuningDaemons) {
  EXPECT_EQ(sentence(FoundTuner{OtherTuner::bpftune, TunerEvidence::process}),
            "bpftune is active on this host and may change it.");
  EXPECT_EQ(sentence(FoundTuner{OtherTuner::tuned, TunerEvidence::runFolder}),
            "TuneD is installed on this host and may change it when active.");
}

}  // namespace
}  // namespace tcpscope
