// What the author of a report adds to it: for whom it is, which files it is about, a logo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/untrusted_text.h"

namespace tcpscope {

/// Decoded and encoded once more by the program: nothing of the author's file but its pixels.
struct ReportLogo {
  /// The bytes of a PNG file.
  std::string png;
  /// Pixels.
  unsigned width = 0;
  unsigned height = 0;
};

/// The capture or recording that a report is about.
struct ReportedFile {
  UntrustedText name;
  std::uint64_t bytes = 0;
  /// 64 hexadecimal digits; empty in an anonymized report.
  std::string sha256;
};

struct ReportCover {
  UntrustedText customer{};
  UntrustedText author{};
  UntrustedText ticket{};
  std::optional<ReportLogo> logo{};
  /// Absent for live data.
  std::optional<ReportedFile> file{};
};

}  // namespace tcpscope
