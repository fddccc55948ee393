// Logarithm, exponential and square root in integers: C for the kernel, which has no floating point, C++ for the rest.
#pragma once

#ifdef __cplusplus
#include <cstdint>
namespace tcpscope {
using std::int64_t;
using std::uint32_t;
using std::uint64_t;
#else
// A program for the kernel has no <stdint.h>.
typedef long long int64_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#endif

// The kernel's verifier follows each path once; a call is one more thing to follow.
#define CONTROL_FUNCTION static inline __attribute__((always_inline))

/// Fraction bits of a logarithm.
static const uint32_t kLogarithmBits = 24;
/// Fraction bits of a(w), b(w) and of what they are computed from.
static const uint32_t kRatioBits = 16;

/// Bits 0 to 31; higher ones must not be set.
CONTROL_FUNCTION uint32_t narrowed(uint64_t value) {
#ifdef __cplusplus
  return static_cast<uint32_t>(value);
#else
  return (uint32_t)value;
#endif
}

/// log2(value), with kLogarithmBits; 0 of 0. For each bit of the fraction the mantissa is squared: the bit is 1 where
/// that passes 2.
CONTROL_FUNCTION uint64_t binaryLogarithm(uint32_t value) {
  const uint32_t mantissaBits = 31;
  if (value == 0) return 0;
  uint64_t mantissa = value;
  uint64_t whole = mantissaBits;
  for (uint32_t shift = 16; shift > 0; shift /= 2) {
    if (mantissa >> (mantissaBits + 1 - shift) == 0) {
      mantissa <<= shift;
      whole -= shift;
    }
  }
  uint64_t fraction = 0;
  for (uint32_t bit = 0; bit < kLogarithmBits; ++bit) {
    mantissa = (mantissa * mantissa) >> mantissaBits;
    const uint64_t passes = mantissa >> (mantissaBits + 1);
    mantissa >>= passes;
    fraction = 2 * fraction + passes;
  }
  return (whole << kLogarithmBits) | fraction;
}

/// 2^exponent, with kRatioBits, of an exponent with kLogarithmBits below 32. Taylor's series of the fraction, whose
/// terms are (ln 2)^k / k! times 2^32: right to one part in a million.
CONTROL_FUNCTION uint64_t binaryExponential(uint64_t exponent) {
  const uint32_t seriesBits = 32;
  const uint64_t fraction = exponent & ((1U << kLogarithmBits) - 1);
  const uint64_t whole = exponent >> kLogarithmBits;
  uint64_t series = 5676;
  series = 65510 + ((series * fraction) >> kLogarithmBits);
  series = 661577 + ((series * fraction) >> kLogarithmBits);
  series = 5726720 + ((series * fraction) >> kLogarithmBits);
  series = 41309550 + ((series * fraction) >> kLogarithmBits);
  series = 238388332 + ((series * fraction) >> kLogarithmBits);
  series = 1031764991 + ((series * fraction) >> kLogarithmBits);
  series = 2977044472 + ((series * fraction) >> kLogarithmBits);
  series = 4294967296 + ((series * fraction) >> kLogarithmBits);
  return whole < seriesBits ? (series << whole) >> (seriesBits - kRatioBits) : 0;
}

/// The square root, rounded down: Newton's steps from the next power of two. A search bit by bit would double the paths
/// that the kernel's verifier follows with each bit.
CONTROL_FUNCTION uint64_t squareRoot(uint64_t value) {
  if (value == 0) return 0;
  uint32_t bits = 1;
  uint64_t rest = value;
  for (uint32_t shift = 32; shift > 0; shift /= 2) {
    if (rest >> shift != 0) {
      rest >>= shift;
      bits += shift;
    }
  }
  // Above the root by a factor of two at most; each step squares the error.
  uint64_t root = 1;
  root <<= (bits + 1) / 2;
  for (uint32_t step = 0; step < 6; ++step) root = (root + value / root) / 2;
  return root > value / root ? root - 1 : root;
}

#ifdef __cplusplus
}  // namespace tcpscope
#endif
