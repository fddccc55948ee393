// Where observations come from, in words: what got lost on the way, recordings, recording, and other hosts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/base/untrusted_text.h"
#include "core/model/collection_gap.h"
#include "core/session/recording_facts.h"

namespace tcpscope {

/// What got lost, for a count to follow: "inconsistent polls".
std::string_view phrase(GapKind kind);
/// "inconsistent polls: 3; refused requests: 1", one line; empty where nothing worse than information was lost.
std::string sentence(const std::vector<CollectionGap>& gaps);
/// The same behind "incomplete: ", for a line of its own; empty where that is.
std::string incompleteText(const std::vector<CollectionGap>& gaps);

/// "cut off 12.3 s after its begin": behind "is"; empty where all of it was read.
std::string damageText(const RecordingFacts& recording);

/// "2 January 2026, 03:04:05 UTC, for 12.3 s, by tcpscope 0.1.0", in which names are escaped already.
std::string recordedText(const RecordingFacts& recording);

/// Why a recording does not begin where nothing live is shown.
std::string nothingToRecordSentence();
/// How many packet headers are in `file` beside a recording, which takes no more than `budget`.
std::string recordedPacketsSentence(std::uint64_t packets, std::uint64_t leftOut, Bytes budget,
                                    const UntrustedText& file);

/// For a request to connect to a host that is already in the list.
std::string alreadyConnectedSentence(const UntrustedText& host);

}  // namespace tcpscope
