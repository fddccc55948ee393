// Blends a colour over a run of pixels, with the widest vectors that the processor has.
//
// Most of the time of a picture with envelopes goes into this loop, and the baseline of x86-64 runs it at less than
// half the speed: four pixels at a time, and registers that wait for what the AVX code of other libraries left in them.
#pragma once

#include <QColor>
#include <span>

namespace tcpscope {

/// The share of a blended colour: three eighths, rounded down so far that 255 of 255 stay in a byte: 255 - 63 - 31
/// + 94.
inline constexpr int kBlendOpacity = 94;

/// Five eighths of each pixel and `color`, a colour of the opacity kBlendOpacity; all premultiplied.
void blend(std::span<QRgb> pixels, QRgb color);

}  // namespace tcpscope
