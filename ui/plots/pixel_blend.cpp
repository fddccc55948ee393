#include "ui/plots/pixel_blend.h"

namespace tcpscope {

namespace {

inline void blendEach(std::span<QRgb> pixels, QRgb color) {
  for (QRgb& pixel : pixels) {
    // All four channels at once; without branches, so that the compiler takes pixels together.
    pixel = pixel - ((pixel >> 2U) & 0x3f3f3f3fU) - ((pixel >> 3U) & 0x1f1f1f1fU) + color;
  }
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void blendWithAvx2(std::span<QRgb> pixels, QRgb color) {
  blendEach(pixels, color);
}
#endif

}  // namespace

void blend(std::span<QRgb> pixels, QRgb color) {
#ifdef __x86_64__
  static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
  if (hasAvx2) return blendWithAvx2(pixels, color);
#endif
  blendEach(pixels, color);
}

}  // namespace tcpscope
