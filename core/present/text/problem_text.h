// Problems in a line each, for the terminal, the window and the JSON document.
#pragma once

#include <string>

#include "core/session/problems.h"

namespace tcpscope {

/// What it is about: an endpoint, a peer or a program.
std::string subject(const Problem& problem);
/// What is wrong and since when: "3 connection attempts unanswered, the oldest for 9.2 s". No full stop.
std::string phrase(const Problem& problem);
/// The next step for the administrator of this host.
std::string_view nextStep(const Problem& problem);

}  // namespace tcpscope
