// Reads UTF-8 strictly (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tcpscope {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Takes the first character off `text`, which must not be empty. Bytes that are no UTF-8 are taken off one at a time
/// and read as U+FFFD.
char32_t takeCharacter(std::string_view& text);

/// Is all of it UTF-8?
bool isUtf8(std::string_view text);

/// Appends a character; `character` must be a Unicode scalar value.
void appendUtf8(std::string& text, char32_t character);

/// Where a text of at most `longest` bytes ends between two characters.
std::size_t endOfCharacters(std::string_view text, std::size_t longest);

}  // namespace tcpscope
