// What scripts are promised: written here once more, so that a change of the program's numbers is seen.
#pragma once

namespace tcpscope::test {

inline constexpr int kNotThere = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kMissingRight = 3;
inline constexpr int kBadInput = 4;
inline constexpr int kSystemFailed = 5;
inline constexpr int kRefused = 6;

}  // namespace tcpscope::test
