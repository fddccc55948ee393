// Lines and numbers of the small files below /proc and /sys.
#pragma once

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

/// Empty where it cannot be read; blanks in front are left out.
inline std::string firstLineOf(const std::filesystem::path& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

/// At most `most` bytes of it; empty where it cannot be read.
inline std::string textOf(const std::filesystem::path& path, std::size_t most) {
  std::ifstream file(path);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// The number that the text begins with.
template <class Number>
std::optional<Number> numberIn(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace tcpscope
