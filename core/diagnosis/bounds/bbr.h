// What BBR itself takes the path's rate to be (INET_DIAG_BBRINFO), less what is lost, within the windows in force.
//
// Loss does not steer BBR, so that models of loss say nothing about it. Where its own figures are not reported, the
// rate that was delivered lately stands in, which is what went through, not what could: then the bound does not apply.
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

Bound bbrBound(const ConnectionEvidence& evidence);

}  // namespace tcpscope
