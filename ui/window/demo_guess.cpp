#include "ui/window/demo_guess.h"

namespace tcpscope {

DemoGuess guessOf(Limit limit) {
  switch (limit) {
    case Limit::receiver:
      return DemoGuess::receiver;
    case Limit::sendBuffer:
      return DemoGuess::sendBuffer;
    case Limit::network:
    case Limit::recovery:
    case Limit::timeout:
      return DemoGuess::network;
    case Limit::application:
      return DemoGuess::application;
    case Limit::idle:
    case Limit::unknown:
    case Limit::opening:
    case Limit::stalled:
      break;
  }
  return DemoGuess::nothing;
}

}  // namespace tcpscope
