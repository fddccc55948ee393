// Patterns of glob(7) over one name: *, ?, [a-z], [!a-z], and \ before a character that stands for itself.
#pragma once

#include <string_view>

namespace tcpscope {

/// The whole name. Takes no more than the product of both lengths and the length of a bracket.
bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace tcpscope
