// What the list of connections is of: what lives, a capture, a recording. Each has columns and an order of its own.
#pragma once

#include "ui/views/view.h"

namespace tcpscope {

enum class ListMode : std::uint8_t { live, capture, recording };
inline constexpr std::size_t kListModes = 3;

inline ListMode listMode(const SessionSnapshot& snapshot) {
  const Place* const file = shownFile(snapshot);
  if (file == nullptr) return ListMode::live;
  return file->isCapture ? ListMode::capture : ListMode::recording;
}

/// For the settings file.
inline const char* listModeKey(ListMode mode) {
  switch (mode) {
    case ListMode::live:
      return "live";
    case ListMode::capture:
      return "capture";
    case ListMode::recording:
      break;
  }
  return "recording";
}

}  // namespace tcpscope
