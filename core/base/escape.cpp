#include "core/base/escape.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace tcpscope {

namespace {

bool isControl(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x2028 || character == 0x2029;
}

/// Characters that turn the direction of writing, take no room, or are no characters.
bool isDeceptive(char32_t character) {
  const auto within = [character](char32_t first, char32_t last) { return character >= first && character <= last; };
  return character == 0x00AD || character == 0x034F || character == 0x061C || within(0x115F, 0x1160) ||
         within(0x17B4, 0x17B5) || within(0x180B, 0x180F) || within(0x200B, 0x200F) || within(0x202A, 0x202E) ||
         within(0x2060, 0x206F) || character == 0x3164 || within(0xFE00, 0xFE0F) || character == 0xFEFF ||
         character == 0xFFA0 || within(0xFFF0, 0xFFFB) || within(0x1BCA0, 0x1BCA3) || within(0x1D173, 0x1D17A) ||
         within(0xE0000, 0xE0FFF) || within(0xFDD0, 0xFDEF) || (character & 0xFFFE) == 0xFFFE;
}

/// Passes every character that may be shown to `sink`.
template <class Sink>
void forEachShown(std::string_view text, Sink sink) {
  while (!text.empty()) {
    const char32_t character = takeCharacter(text);
    if (!isControl(character) && !isDeceptive(character)) sink(character);
  }
}

std::string shown(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  forEachShown(text, [&result](char32_t character) { appendUtf8(result, character); });
  return result;
}

std::string_view htmlEntity(char32_t character) {
  switch (character) {
    case U'&':
      return "&amp;";
    case U'<':
      return "&lt;";
    case U'>':
      return "&gt;";
    case U'"':
      return "&quot;";
    case U'\'':
      return "&#39;";
    default:
      return {};
  }
}

bool isPlainToShell(char byte) {
  const bool isLetter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  const bool isDigit = byte >= '0' && byte <= '9';
  return isLetter || isDigit || std::string_view("-_./:=,@+%").find(byte) != std::string_view::npos;
}

bool startsFormula(char first) {
  return std::string_view("=+-@").find(first) != std::string_view::npos;
}

}  // namespace

std::string forPlainText(std::string_view text) {
  return shown(text);
}

std::string forTerminal(std::string_view text) {
  return shown(text);
}

std::string forHtml(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  forEachShown(text, [&result](char32_t character) {
    const std::string_view entity = htmlEntity(character);
    if (entity.empty()) {
      appendUtf8(result, character);
    } else {
      result += entity;
    }
  });
  return result;
}

std::string forMarkdown(std::string_view text) {
  constexpr std::u32string_view kAnywhere = U"\\`*_[]<>|~&";
  constexpr std::u32string_view kAtTheBeginning = U"#+-=:";
  std::string result;
  result.reserve(text.size());
  forEachShown(text, [&](char32_t character) {
    const bool isMark = kAnywhere.find(character) != std::u32string_view::npos ||
                        (result.empty() && kAtTheBeginning.find(character) != std::u32string_view::npos);
    if (isMark) result.push_back('\\');
    appendUtf8(result, character);
  });
  return result;
}

std::string forJson(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  forEachShown(text, [&result](char32_t character) {
    if (character == U'"' || character == U'\\') result.push_back('\\');
    appendUtf8(result, character);
  });
  return result;
}

std::string forCsv(std::string_view text) {
  std::string field = shown(text);
  if (!field.empty() && startsFormula(field.front())) field.insert(field.begin(), '\'');
  if (field.find_first_of("\",;") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char byte : field) {
    if (byte == '"') quoted.push_back('"');
    quoted.push_back(byte);
  }
  quoted.push_back('"');
  return quoted;
}

std::string forShell(std::string_view text) {
  std::string word = shown(text);
  if (!word.empty() && std::all_of(word.begin(), word.end(), isPlainToShell)) return word;
  std::string quoted = "'";
  for (const char byte : word) {
    if (byte == '\'') {
      quoted += "'\\''";
    } else {
      quoted.push_back(byte);
    }
  }
  return quoted + "'";
}

std::string forFileName(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  std::string result;
  forEachShown(text, [&result](char32_t character) {
    // What no file system of ours or of a friend's forbids, and no shell reads as its own.
    const bool isLetter = (character >= U'a' && character <= U'z') || (character >= U'A' && character <= U'Z');
    const bool isDigit = character >= U'0' && character <= U'9';
    const bool isMark = character == U'-' || character == U'_' || character == U'.';
    const bool isKept = isLetter || isDigit || (isMark && !result.empty());
    if (result.size() < kLongest) result.push_back(isKept ? static_cast<char>(character) : '_');
  });
  return result.empty() ? "_" : result;
}

std::string forPlainText(const UntrustedText& text) {
  return forPlainText(text.rawBytes());
}

std::string forTerminal(const UntrustedText& text) {
  return forTerminal(text.rawBytes());
}

std::string forHtml(const UntrustedText& text) {
  return forHtml(text.rawBytes());
}

std::string forMarkdown(const UntrustedText& text) {
  return forMarkdown(text.rawBytes());
}

std::string forJson(const UntrustedText& text) {
  return forJson(text.rawBytes());
}

std::string forCsv(const UntrustedText& text) {
  return forCsv(text.rawBytes());
}

std::string forShell(const UntrustedText& text) {
  return forShell(text.rawBytes());
}

std::string forFileName(const UntrustedText& text) {
  return forFileName(text.rawBytes());
}

}  // namespace tcpscope
