// Any bytes as the logo of a report: what is decoded is small enough for a page, and is a PNG that decodes again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/pdf/report_logo.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const auto logo = decodeLogo({reinterpret_cast<const char*>(bytes), size});
  if (!logo) return 0;
  TCPSCOPE_INVARIANT(logo->width >= 1 && logo->width <= 640);
  TCPSCOPE_INVARIANT(logo->height >= 1 && logo->height <= 240);
  const auto again = decodeLogo(logo->png);
  TCPSCOPE_INVARIANT(again && again->width == logo->width && again->height == logo->height);
  return 0;
}
