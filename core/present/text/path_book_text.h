// The path book in words: what a path has shown, how its rate is to be read, the buffers that a next connection should
// have, and why the book cannot be read or written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/path_advice.h"
#include "core/advice/path_book_error.h"

namespace tcpscope {

/// "94.1 Mbit/s", "at least 12.0 Mbit/s": what else held the transfer back makes it a lower bound. "-" for none.
std::string rateText(const std::optional<PathRate>& rate);
/// "20.1 ms", "-".
std::string roundTripText(const PathEntry& entry);
/// "0.0012 % of 84,000 segments", "none in 1,200 segments"; "-" where too little was sent to tell.
std::string lossText(const PathEntry& entry);
/// "between 3 and 12 in 18,230 segments sent…": what is known of losses, also where it is too little for a ratio.
std::string lossSentence(const PathEntry& entry);
/// "network", "receiver's window"; "-" where no verdict was sure.
std::string_view usualLimitText(const PathEntry& entry);
/// "2026-03-01 12:00 UTC"
std::string minuteText(WallTime time);
/// "SACK, timestamps, window scale 7 and 9, MSS 1448 bytes", what is missing being said.
std::string sentence(const PathOptions& options);
/// "94.1 Mbit/s on 2026-03-01 12:00 UTC, held back by the path itself": how the best rate is to be read.
std::string sentence(const PathRate& rate);
/// "Send buffer of the next connection: 512 KiB…", or why no size can be given.
std::string sentence(const BufferAdvice& advice);
/// For a row of a table: the path, round trip, sending, receiving, bandwidth times delay, losses, usual limit,
/// connections, when it was seen last.
std::vector<std::string> pathCells(const PathEntry& entry);
/// "198.51.100.0/24  connections 3, first seen 2026-03-01 12:00 UTC, last…"
std::string pathSentence(const PathEntry& entry);
/// What the path has shown, each behind a title in small letters: "round trip", "20.1 ms at best, on…".
using PathFact = std::pair<std::string_view, std::string>;
std::vector<PathFact> pathFacts(const PathEntry& entry);
/// "Usually on this path: round trip 20.1 ms, sending 94.1 Mbit/s…" for a connection that was first seen then; or that
/// nothing is known from before, also where the entry is null.
std::string usuallyHereSentence(const PathEntry* entry, WallTime connectionSeen);
/// One line: what happened, why, what to do next.
std::string sentence(const PathBookError& error);
/// That a damaged book was found, and where it is now.
std::string putAsideSentence(const UntrustedText& aside);
/// Why there is no entry for this path.
std::string unknownPathSentence(const PathPrefix& path);

}  // namespace tcpscope
