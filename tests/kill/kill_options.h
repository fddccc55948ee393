// What both programs that kill take from the command line.
#pragma once

#include <charconv>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>

namespace tcpscope {

/// `--kills N`, `--seed N`; without a seed each run is another.
struct KillOptions {
  int kills = 1000;
  std::uint64_t seed = std::random_device()();

  explicit KillOptions(std::span<char* const> words) {
    for (std::size_t index = 1; index + 1 < words.size(); index += 2) {
      const std::string_view word = words[index];
      if (word == "--kills") read(words[index + 1], kills);
      if (word == "--seed") read(words[index + 1], seed);
    }
  }

private:
  static void read(std::string_view text, auto& number) {
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
};

}  // namespace tcpscope
