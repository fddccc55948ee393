// What a session may keep, in numbers: all in one place.
#pragma once

#include <cstddef>

#include "core/base/units.h"

namespace tcpscope {

struct SessionBudget {
  std::size_t sockets = 500'000;
  std::size_t closedRows = 2'000;
  std::size_t historyBytesPerConnection = 64U << 20;
  std::size_t eventsPerConnection = 10'000;
  std::size_t limitIntervals = 1'200;
  /// Length of the span that verdicts look back over: between one and two halves of it.
  Nanoseconds verdictWindow = std::chrono::seconds(5);
  /// Full history for every connection, whether somebody looks at it or not: for recordings, where one looks later.
  bool keepsEveryHistory = false;
  /// Connections are looked at for what they show of their paths (core/path_book).
  bool watchesPaths = false;
};

}  // namespace tcpscope
