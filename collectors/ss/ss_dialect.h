// Which fields the `ss` of a host prints whenever they are not zero, so that their absence says zero.
//
// That takes a kernel that reports the field and an ss that knows it (iproute2, misc/ss.c). Where either is older, or
// says nothing of its age, an absent field is not known.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace tcpscope {

/// Of a kernel or of iproute2; 0.0 where it is not known, which is older than everything.
struct ReleaseNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;

  auto operator<=>(const ReleaseNumber&) const = default;
};

/// The first "MAJOR.MINOR" of a text such as "6.1.0-13-amd64"; 0.0 where there is none.
ReleaseNumber firstReleaseIn(std::string_view text);

struct SsDialect {
  ReleaseNumber kernel;
  ReleaseNumber ss;

  /// From `uname -r` and from `ss -V` ("ss utility, iproute2-6.1.0"). The snapshots that were named by a date
  /// ("iproute2-ss190107") count as older than everything.
  static SsDialect of(std::string_view kernelRelease, std::string_view ssVersion) {
    return {firstReleaseIn(kernelRelease), firstReleaseIn(ssVersion.substr(0, ssVersion.find("iproute2-ss")))};
  }
  [[nodiscard]] bool prints(ReleaseNumber sinceKernel, ReleaseNumber sinceSs) const {
    return kernel >= sinceKernel && ss >= sinceSs;
  }
};

}  // namespace tcpscope
