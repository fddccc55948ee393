// What a person reads when the lab, or a part of it, cannot run here: what happened, why, what to do next; one line.
#pragma once

#include <string>

#include "core/session/lab_error.h"

namespace tcpscope {

std::string sentence(const LabError& error);

}  // namespace tcpscope
