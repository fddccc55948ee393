#include "app/desktop/display.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace tcpscope {

namespace {

bool isSet(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool hasDisplay(std::span<char* const> words) {
  // Options of Qt's own have one dash or two.
  const bool isChosen = std::any_of(words.begin(), words.end(), [](const char* word) {
    return std::string_view(word) == "-platform" || std::string_view(word) == "--platform";
  });
  return isChosen || isSet("QT_QPA_PLATFORM") || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

bool needsNone(std::string_view word) {
  constexpr std::array<std::string_view, 7> kTexts = {"-h", "--help",    "-help",       "--help-all",
                                                      "-v", "--version", "--screenshot"};
  const bool isText = std::find(kTexts.begin(), kTexts.end(), word) != kTexts.end();
  return isText || word.starts_with("--screenshot=");
}

}  // namespace

DisplayUse displayUse(std::span<char* const> words) {
  if (hasDisplay(words)) return DisplayUse::ofDesktop;
  return std::any_of(words.begin(), words.end(), needsNone) ? DisplayUse::none : DisplayUse::missing;
}

}  // namespace tcpscope
