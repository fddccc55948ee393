// The values of scenario files, read and written: rates, times, sizes, shares, counts. Nothing where the text is no
// such value or lies outside what a lab can be asked for; writing gives the shortest text that reads back as the same
// value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tcpscope::lab {

inline constexpr std::string_view kRateAllowed = "a rate such as 100 Mbit/s, from 1 kbit/s to 100 Gbit/s";
inline constexpr std::string_view kTimeAllowed = "a time such as 25 ms or 0.3 s, up to 1 h";
inline constexpr std::string_view kSizeAllowed = "a size such as 1448 B, 250 kB or 4 MiB, up to 4 GB";
inline constexpr std::string_view kShareAllowed = "a share such as 0.1 % or 0.001, from 0 to 1";
inline constexpr std::string_view kCountAllowed = "a whole number up to 1000000";
inline constexpr std::string_view kChoiceAllowed = "yes or no";
inline constexpr std::string_view kNameAllowed = "a name of at most 32 letters a to z, digits, _ and -";

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// The parts between commas, trimmed; none for a blank text.
std::vector<std::string> listParts(std::string_view text);
std::string listText(const std::vector<std::string>& parts);

std::optional<BitsPerSecond> readRate(std::string_view text);
std::string rateText(BitsPerSecond rate);
std::optional<Nanoseconds> readTime(std::string_view text);
std::string timeText(Nanoseconds time);
std::optional<Bytes> readSize(std::string_view text);
std::string sizeText(Bytes size);
std::optional<double> readShare(std::string_view text);
std::string shareText(double share);
std::optional<std::uint64_t> readCount(std::string_view text);
std::optional<bool> readChoice(std::string_view text);
std::string choiceText(bool choice);
bool isName(std::string_view text);

}  // namespace tcpscope::lab
