// What the plots of the lab's figures share: the colours of their series, and the text at a mark of an axis.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace tcpscope {

/// Okabe and Ito's colours for all kinds of sight, without the yellow that white swallows.
inline constexpr std::array<std::string_view, 7> kSeriesColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                  "#56b4e9", "#e69f00", "#000000"};

/// "20 M": large figures with SI prefixes.
inline std::string seriesTickText(double value) {
  struct Prefix {
    double factor;
    std::string_view letter;
  };
  constexpr std::array<Prefix, 3> kPrefixes = {Prefix{1e9, " G"}, Prefix{1e6, " M"}, Prefix{1e3, " k"}};
  for (const Prefix& prefix : kPrefixes) {
    if (value >= prefix.factor) return fmt::format("{:g}{}", value / prefix.factor, prefix.letter);
  }
  return fmt::format("{:.3g}", value);
}

}  // namespace tcpscope
