// A scenario as its canonical text: what the engine is started with. Reading it gives the same scenario again.
#pragma once

#include <string>

#include "app/lab/scenario/scenario.h"

namespace tcpscope::lab {

std::string writeScenario(const Scenario& scenario);

}  // namespace tcpscope::lab
