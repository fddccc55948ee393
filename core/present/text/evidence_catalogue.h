// What each figure of evidence is called in words. Its unit is the end of its key ("_bytes", "_us", "_ratio", …).
#pragma once

#include <string>
#include <string_view>

namespace tcpscope {

/// Title of a figure: of this catalogue, else of the metric of that key, else the key itself.
std::string_view evidenceTitle(std::string_view key);

/// A value in the unit that its key ends in.
std::string formatByKey(std::string_view key, double value);

}  // namespace tcpscope
