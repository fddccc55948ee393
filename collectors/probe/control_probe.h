// Tries whether the congestion controls of tcpscope can be loaded into this kernel, or are: for `doctor`.
#pragma once

#include "core/base/expected.h"
#include "core/control/loadable_controls.h"
#include "core/host/capability.h"

namespace tcpscope {

/// Loads their programs, registers none, and removes them; where all are registered already, nothing is tried. Takes
/// some ten milliseconds.
CapabilityState probeCongestionControls();

/// Of what was found. Pure.
CapabilityState controlCapability(const LoadedControls& states, Expected<void, ControlFailure> trial, bool isRoot);

}  // namespace tcpscope
