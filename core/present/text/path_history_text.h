// The path history in words: figures of a path, the buffers for the next connection over it, and errors of the file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/path_advice.h"
#include "core/advice/path_entry.h"

namespace tcpscope {

/// "94.1 Mbit/s", "at least 12.0 Mbit/s": a lower bound where something else limited the transfer. "-" for none.
std::string rateText(const std::optional<PathRate>& rate);
/// "20.1 ms", "-".
std::string rttText(const PathEntry& entry);
/// "0.0012 % of 84,000 segments", "none in 1,200 segments"; "-" where too little was sent for a ratio.
std::string lossText(const PathEntry& entry);
/// "between 3 and 12 in 18,230 segments sent…": what is known of losses, also where it is too little for a ratio.
std::string lossSentence(const PathEntry& entry);
/// "network", "receive window"; "-" without a confident verdict.
std::string_view usualLimitText(const PathEntry& entry);
/// "2026-03-01 12:00 UTC"
std::string minuteText(WallTime time);
/// "SACK, timestamps, window scale 7 and 9, MSS 1448 bytes", missing options named, too.
std::string sentence(const PathOptions& options);
/// "94.1 Mbit/s on 2026-03-01 12:00 UTC, limited by the network": the best rate and what limited it.
std::string sentence(const PathRate& rate);
/// "Send buffer of the next connection: 512 KiB…", or why no size can be given.
std::string sentence(const BufferAdvice& advice);
/// For a row of a table: path, minimum RTT, best Tx rate, best Rx rate, bandwidth-delay product, loss, usual limit,
/// connections, last seen.
std::vector<std::string> pathCells(const PathEntry& entry);
/// "198.51.100.0/24  connections 3, first seen 2026-03-01 12:00 UTC, last…"
std::string pathSentence(const PathEntry& entry);
/// The figures of the path, each with a lower-case title: "minimum RTT", "20.1 ms on 2026-03-01 12:00 UTC".
using PathFact = std::pair<std::string_view, std::string>;
std::vector<PathFact> pathFacts(const PathEntry& entry);
/// "History of this path, 198.51.100.0/24: minimum RTT 20.1 ms, best Tx rate 94.1 Mbit/s…" for a connection that was
/// first seen then; or that there is no history, also where the entry is null.
std::string usuallyHereSentence(const PathEntry* entry, WallTime connectionSeen);
/// One line: what happened, why, what to do next.
std::string sentence(const PathHistoryError& error);
/// A damaged file was found and renamed; names the new file.
std::string putAsideSentence(const UntrustedText& aside);
/// Why there is no entry for this path.
std::string unknownPathSentence(const PathPrefix& path);

}  // namespace tcpscope
