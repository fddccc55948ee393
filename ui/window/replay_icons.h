// The signs of a player, drawn in the colour of the text: the style's own are dark in every theme.
#pragma once

#include <QIcon>
#include <QPalette>

namespace tcpscope {

enum class ReplaySign : std::uint8_t { toStart, stepBack, playBack, play, pause, stepForward, toEnd };

QIcon replayIcon(ReplaySign sign, const QPalette& palette);

}  // namespace tcpscope
