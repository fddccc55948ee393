// The logo of a report, from a file that its author names.
//
// Only PNG: its decoder is cairo's, which is linked anyway, and its size is known before it is decoded. The pixels are
// scaled down and encoded once more, so that nothing else of the file is in the report.
#pragma once

#include <filesystem>

#include "core/base/expected.h"
#include "core/present/report/report_cover.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

/// Of the file, and of each side of the image.
inline constexpr std::size_t kMostLogoBytes = 1U << 20U;
inline constexpr unsigned kMostLogoPixels = 4096;

Expected<ReportLogo, LogoError> readLogo(const std::filesystem::path& path);
/// The same of the bytes of a file.
Expected<ReportLogo, LogoError> decodeLogo(std::string_view png);

}  // namespace tcpscope
