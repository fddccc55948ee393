// Is there a display for a window? Without one Qt ends the program with a core dump, and many who try it have logged in
// to a server.
#pragma once

#include <span>

namespace tcpscope {

enum class DisplayUse {
  /// Qt finds a display, or the user has chosen one.
  ofDesktop,
  /// None, and none is needed: what is asked for is text, or a picture in a file.
  none,
  /// None, though a window is asked for.
  missing,
};

/// By the environment, and by the words of the command line.
DisplayUse displayUse(std::span<char* const> words);

}  // namespace tcpscope
