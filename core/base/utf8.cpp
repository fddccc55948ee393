#include "core/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace tcpscope {

namespace {

struct Lead {
  std::size_t length;
  char32_t bits;
  char32_t smallest;
};

/// What a first byte promises; length 0 for a byte that starts no character.
Lead readLead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if ((byte & 0xE0) == 0xC0) return {2, byte & 0x1FU, 0x80};
  if ((byte & 0xF0) == 0xE0) return {3, byte & 0x0FU, 0x800};
  if ((byte & 0xF8) == 0xF0) return {4, byte & 0x07U, 0x10000};
  return {0, 0, 0};
}

/// The character at the beginning, which is taken off; nothing where there is none.
std::optional<char32_t> takeValid(std::string_view& text) {
  const Lead lead = readLead(static_cast<unsigned char>(text.front()));
  char32_t character = lead.bits;
  bool valid = lead.length != 0 && lead.length <= text.size();
  for (std::size_t index = 1; valid && index < lead.length; ++index) {
    const auto byte = static_cast<unsigned char>(text[index]);
    valid = (byte & 0xC0) == 0x80;
    character = character << 6 | (byte & 0x3FU);
  }
  const bool isSurrogate = character >= 0xD800 && character <= 0xDFFF;
  if (!valid || character < lead.smallest || isSurrogate || character > 0x10FFFF) return std::nullopt;
  text.remove_prefix(lead.length);
  return character;
}

/// Behind the plain characters of ASCII, eight at a time.
void skipAscii(std::string_view& text) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  std::uint64_t eight = 0;
  while (text.size() >= sizeof eight) {
    std::memcpy(&eight, text.data(), sizeof eight);
    if ((eight & kHighBits) != 0) break;
    text.remove_prefix(sizeof eight);
  }
  while (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) text.remove_prefix(1);
}

}  // namespace

char32_t takeCharacter(std::string_view& text) {
  if (const auto character = takeValid(text)) return *character;
  text.remove_prefix(1);
  return kReplacementCharacter;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    skipAscii(text);
    if (!text.empty() && !takeValid(text)) return false;
  }
  return true;
}

void appendUtf8(std::string& text, char32_t character) {
  const auto append = [&text](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  const auto continuation = [](char32_t bits) { return 0x80 | (bits & 0x3F); };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0 | character >> 6);
    append(continuation(character));
  } else if (character < 0x10000) {
    append(0xE0 | character >> 12);
    append(continuation(character >> 6));
    append(continuation(character));
  } else {
    append(0xF0 | character >> 18);
    append(continuation(character >> 12));
    append(continuation(character >> 6));
    append(continuation(character));
  }
}

std::size_t endOfCharacters(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text.size();
  // A character has at most three more bytes behind its first; what has more is no UTF-8.
  constexpr std::size_t kMostBehindFirst = 3;
  for (std::size_t back = 0; back <= std::min(longest, kMostBehindFirst); ++back) {
    const std::size_t end = longest - back;
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80) return end;
  }
  return longest;
}

}  // namespace tcpscope
