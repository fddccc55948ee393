// The figures that a verdict rests on: the share that won, and what its cause was read from.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

std::vector<Evidence> sendingEvidence(const ConnectionEvidence& evidence, const Verdict& verdict);
std::vector<Evidence> receivingEvidence(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
