// Applies the chosen theme to the whole application: light, dark, or what the desktop had when the program started.
#pragma once

#include "ui/theme/theme.h"

namespace tcpscope {

/// Call once at the start, before any window, and again for each change.
void applyTheme(ThemeChoice choice);

}  // namespace tcpscope
