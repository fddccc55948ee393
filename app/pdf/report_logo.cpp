#include "app/pdf/report_logo.h"

#include <cairo.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "app/pdf/regular_file.h"

namespace tcpscope {

namespace {

using Failure = Unexpected<LogoError>;

/// As large as it is shown, at twice the resolution of a screen.
constexpr double kShownWidth = 640;
constexpr double kShownHeight = 240;

struct DestroySurface {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroySurface>;

cairo_status_t takePng(void* closure, unsigned char* data, unsigned int length) {
  auto& rest = *static_cast<std::string_view*>(closure);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

cairo_status_t appendPng(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// A number of four bytes, the highest first, as in all of PNG (W3C PNG §7.1).
std::uint32_t numberAt(std::string_view png, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t byte = 0; byte < 4; ++byte) value = (value << 8U) | static_cast<unsigned char>(png[at + byte]);
  return value;
}

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);

/// Width and height by the header of a PNG, which is its first chunk (W3C PNG §5.3, §11.2.2).
std::optional<std::pair<std::uint32_t, std::uint32_t>> sizeOf(std::string_view png) {
  constexpr std::string_view kHeader("\0\0\0\x0dIHDR", 8);
  constexpr std::size_t kWidthAt = kSignature.size() + kHeader.size();
  if (png.size() < kWidthAt + 8 || !png.starts_with(kSignature)) return std::nullopt;
  if (!png.substr(kSignature.size()).starts_with(kHeader)) return std::nullopt;
  return std::pair(numberAt(png, kWidthAt), numberAt(png, kWidthAt + 4));
}

/// The chunks that the pixels need, up to the first one that is cut off. libpng reserves as much memory as the length
/// of a chunk claims (up to 2 GB) before it reads it, and unpacks texts and colour profiles, however large they become.
std::string pixelChunks(std::string_view png) {
  constexpr std::array<std::string_view, 5> kWithPixels{"IHDR", "PLTE", "tRNS", "IDAT", "IEND"};
  /// Length and type before the data, a checksum behind it (W3C PNG §5.3).
  constexpr std::size_t kAround = 12;
  std::string kept(kSignature);
  for (std::string_view rest = png.substr(kSignature.size()); rest.size() >= kAround;) {
    const std::uint32_t dataBytes = numberAt(rest, 0);
    if (dataBytes > rest.size() - kAround) break;
    const std::string_view chunk = rest.substr(0, dataBytes + kAround);
    if (std::ranges::find(kWithPixels, chunk.substr(4, 4)) != kWithPixels.end()) kept += chunk;
    rest.remove_prefix(chunk.size());
  }
  return kept;
}

Surface scaled(cairo_surface_t* image, unsigned width, unsigned height, double scale) {
  Surface target(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  cairo_t* context = cairo_create(target.get());
  cairo_scale(context, scale, scale);
  cairo_set_source_surface(context, image, 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_BEST);
  cairo_paint(context);
  cairo_destroy(context);
  return target;
}

}  // namespace

Expected<ReportLogo, LogoError> decodeLogo(std::string_view png) {
  const auto size = sizeOf(png);
  if (!size) return Failure({LogoProblem::noPng});
  const auto [width, height] = *size;
  if (width > kMostLogoPixels || height > kMostLogoPixels) return Failure({LogoProblem::tooManyPixels});
  const std::string pixels = pixelChunks(png);
  std::string_view rest = pixels;
  const Surface image(cairo_image_surface_create_from_png_stream(takePng, &rest));
  const bool isDecoded = cairo_surface_status(image.get()) == CAIRO_STATUS_SUCCESS;
  if (!isDecoded || width == 0 || height == 0) return Failure({LogoProblem::damaged});
  const double scale = std::min({kShownWidth / width, kShownHeight / height, 1.0});
  ReportLogo logo;
  logo.width = std::max(static_cast<unsigned>(width * scale), 1U);
  logo.height = std::max(static_cast<unsigned>(height * scale), 1U);
  const Surface shown = scaled(image.get(), logo.width, logo.height, scale);
  if (cairo_surface_write_to_png_stream(shown.get(), appendPng, &logo.png) != CAIRO_STATUS_SUCCESS) {
    return Failure({LogoProblem::damaged});
  }
  return logo;
}

Expected<ReportLogo, LogoError> readLogo(const std::filesystem::path& path) {
  auto file = RegularFile::open(path);
  if (!file) return Failure({LogoProblem::unreadable, file.error()});
  if (file->bytes() > kMostLogoBytes) return Failure({LogoProblem::tooLarge});
  std::string png;
  const auto read = file->readAll(kMostLogoBytes, [&png](std::string_view part) {
    png += part;
    return true;
  });
  if (!read) return Failure({LogoProblem::unreadable, read.error()});
  return decodeLogo(png);
}

}  // namespace tcpscope
