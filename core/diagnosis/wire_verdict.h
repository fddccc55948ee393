// The one answer for what a captured direction was held back by: as far as packets tell, and no further.
//
// Two waits of a sender look alike from outside: for its congestion window, and for its send buffer. It is the path's
// where the path shows itself: a queue, marks, or losses that the sender slows down for. Without such signs, and where
// the sender went its own way, the answer is unknown, and the candidates are named. A narrow lead is no answer here.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/wire/waits/sender_wait.h"

namespace tcpscope {

/// What the verdict is read from, besides the figures that a socket's verdict is read from, too.
struct WireSigns {
  SenderWaits waits;
  /// WireStatistics::backOff().
  std::optional<double> backOff;
  /// Acknowledgments were seen, and how long they take to the sender.
  bool knowsWaits = false;
  bool knowsWindow = false;
  /// The capture point is not the sender's: what is sent and lost before it looks like silence.
  bool mayMissSending = false;
  /// What the pattern of the losses tells by itself; `unknown` where it does not.
  Cause lossPattern = Cause::unknown;
  /// Packets are missing from the capture, or more happened than the analysis keeps.
  bool isIncomplete = false;
};

/// Does the path show that it sets the pace?
bool pathShowsItself(const SocketObservation& socket, const WindowStatistics& window, const WireSigns& signs);

/// Packets wait in a queue on the path, and enough of them are under way for that to be no delayed acknowledgments.
bool streamHasQueue(const SocketObservation& socket, const RoundTrip& trip, double inFlightBytes);

/// Waits as limits; `clock` is the network where the path shows itself, else unknown.
LimitShares limitsOf(const SenderWaits& waits, bool pathShowsItself);

/// Which limit these shares name, or which they may; `signs.waits` are of the same time as they are.
struct WireAnswer {
  Limit limit = Limit::unknown;
  std::vector<Limit> candidates;
  /// Over the next largest, 0…1.
  double lead = 0.0;
};
WireAnswer wireAnswer(const LimitShares& shares, const WindowStatistics& window, const WireSigns& signs);

/// `window.sending` are the limits above.
Verdict wireVerdict(const SocketObservation& socket, const WindowStatistics& window, const WireSigns& signs);

}  // namespace tcpscope
