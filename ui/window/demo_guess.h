// What a guest may guess before the answer of a demo is shown: the classes that a person knows apart.
#pragma once

#include <QString>
#include <array>

#include "core/diagnosis/limits/limit.h"

namespace tcpscope {

enum class DemoGuess : std::uint8_t { receiver, sendBuffer, network, application, nothing };

struct DemoGuessRow {
  DemoGuess guess;
  const char* title;
};

/// In the order in which they are offered.
inline constexpr std::array kDemoGuesses = {
    DemoGuessRow{DemoGuess::receiver, "Receiver"},       DemoGuessRow{DemoGuess::sendBuffer, "Send buffer"},
    DemoGuessRow{DemoGuess::network, "Network"},         DemoGuessRow{DemoGuess::application, "Application"},
    DemoGuessRow{DemoGuess::nothing, "It stands still"},
};

/// The guess that is right where this is the answer.
DemoGuess guessOf(Limit limit);

}  // namespace tcpscope
