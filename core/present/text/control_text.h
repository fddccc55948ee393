// Loadable congestion controls in words.
#pragma once

#include <string>
#include <string_view>

#include "core/control/loadable_controls.h"

namespace tcpscope {

/// "loaded until it is unloaded".
std::string_view stateText(ControlHolder holder);
/// The command that loads a control which the kernel does not offer: of tcpscope, or a module.
std::string loadCommand(std::string_view control);
/// What failed while they were loaded or unloaded, why, and what to do next.
std::string sentence(ControlFailure failure);

}  // namespace tcpscope
