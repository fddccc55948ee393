// The sentences of a diagnostic report, for people who never saw tcpscope.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/moment.h"
#include "core/diagnosis/connection_diagnosis.h"
#include "core/model/change_mark.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// "2 January 2026, 03:04:05 UTC"
std::string formatWallTime(WallTime time);

/// "almost certain", "likely", "a guess": a confidence in a word or two.
std::string_view confidenceWord(double confidenceRatio);
/// "Confidence 92 %: sure enough to act on."
std::string confidenceSentence(double confidenceRatio);
/// The same for a verdict; empty where its limit is unknown.
std::string confidenceSentence(const Verdict& verdict);
/// "92 %", or "–" there.
std::string confidenceFigure(const Verdict& verdict);

/// The verdict on one of its sides. What packets leave open is open at both ends, not at the receiver alone.
std::string verdictSentence(const ConnectionDetail& detail, const Verdict& verdict, Side side);
/// Of its bulk side.
std::string verdictSentence(const ConnectionDetail& detail);

/// "this end sends 12.6 Mbit/s", of the side that is judged.
std::string sideText(const SideDiagnosis& side);

/// "receiver's window 97.0 %, application 3.0 %", the largest first; empty where nothing was observed.
std::string sharesText(const LimitShares& shares);

/// What the report left out: "3 more connections with data and 12 idle ones"; empty for none.
std::string leftOutText(std::size_t active, std::size_t idle);

/// "net.ipv4.tcp_rmem: 4096 87380 87380 → 4096 131072 6291456", in which names are escaped already.
std::string sentence(const ChangeMark& mark);

/// "nas.example, Linux 6.1.0, from the recording a.tcpscope", in which names are escaped already.
std::string sentence(const Place& place);
/// The same, with the network namespace where others of `all` have the same host.
std::string sentence(const Place& place, const std::vector<Place>& all);

/// "Retransmissions", for a count to follow.
std::string_view title(HistoryEventKind kind);
/// Of events that packets show: each is a segment, whatever made the sender retransmit it.
std::string_view titleOfPackets(HistoryEventKind kind);

/// For a name whose ending is none of a report's.
std::string noReportFormSentence(std::string_view file);

enum class LogoProblem : std::uint8_t { unreadable, tooLarge, noPng, tooManyPixels, damaged };

struct LogoError {
  LogoProblem problem = LogoProblem::unreadable;
  /// errno, where it is unreadable.
  int errorNumber = 0;
};

/// `file`: the name as the user gave it.
std::string sentence(const LogoError& error, std::string_view file);

/// One negotiated option and its meaning: title and text.
using NamedText = std::pair<std::string, std::string>;
/// What was negotiated at the beginning, where the kernel reports it.
std::vector<NamedText> negotiatedTexts(const SocketObservation& socket);

}  // namespace tcpscope
