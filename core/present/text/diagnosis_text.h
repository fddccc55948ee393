// What limits a connection, in words: verdicts, limits, bounds, findings and their evidence. One place for desktop,
// command line and report.
#pragma once

#include <string>
#include <string_view>

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

// verdict_text.cpp

/// "Limited by the receive window (peer's receive buffer too small) — 12.0 Mbit/s; next limit 94.0 Mbit/s.", with
/// "Likely" in front below kConfident.
std::string sentence(const Verdict& verdict, Side side);
/// The verdict for a table's cell, which is too narrow for the sentence: "Receive window (slow reader): 12.0 of
/// 94.0 Mbit/s", "Network (loss)?" below kConfident.
std::string brief(const Verdict& verdict, Side side);
/// "application to 2.10 s", "network or send buffer to 3.40 s": how long into the connection, `start`, this limit held.
std::string phrase(const LimitStretch& stretch, Moment start);
/// The limit for a legend: "receive window".
std::string_view shortName(Limit limit);
/// What this limit means and how it is measured, for hover texts and legends.
std::string_view explanation(Limit limit);

std::string sentence(WhyNoBound why);
std::string_view title(BoundModel model);
/// It has a meaningful rate: it bounds the transfer, or the note explains what it is.
bool hasRate(const Bound& bound);
/// Why it does not apply, or what its rate means; mentions a rate only where hasRate().
std::string noteOf(const Bound& bound);

// finding_text.cpp

std::string sentence(const Finding& finding, Side side);
std::string_view title(RuleId rule);
/// "Receive-window limited time: 97.0 %"
std::string sentence(const Evidence& evidence);

}  // namespace tcpscope
