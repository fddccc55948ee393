// What a person reads of the lab: why it, or a part of it, cannot run here; the answer of a scenario, and whether both
// ends found it. The sentence about a scenario that could not be read (core/session/scenario_error.h) is made here,
// too.
#pragma once

#include <string>

#include "core/session/agreement.h"
#include "core/session/lab_error.h"
#include "core/session/lab_figures.h"

namespace tcpscope {

/// What happened, why, what to do next; one line.
std::string sentence(const LabError& error);

}  // namespace tcpscope

namespace tcpscope::lab {

/// "Limited by the network (packet loss)."
std::string sentence(const Truth& truth);
/// "Both ends found it." or what each said instead, with missing and forbidden findings.
std::string sentence(const Agreement& agreement);
/// Instead of an agreement, while the transfer settles.
inline constexpr const char* kStillLooking = "still looking; the transfer has just begun.";
/// "a recording plays: the lab needs user namespaces, …"
std::string recordingNotice(const LabError& whyNoLab);
/// "94.2 Mbit/s, 94.2 % of the path's rate, 12 packets dropped, fairness 0.98"
std::string sentence(const LabFigures& figures);
/// "sender: 34.0 % of a processor, 2.1 ns a byte, socket memory up to 4.1 MiB"; what is unknown is left out.
std::string sentence(const HostFigures& host);
/// Of a figure as the documents name it: "94.2 Mbit/s", "12.5 s", "0.98".
std::string figureText(std::string_view key, double value);

}  // namespace tcpscope::lab
