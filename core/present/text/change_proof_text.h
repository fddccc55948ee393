// The comparison of a transfer before and after a change, in words.
#pragma once

#include <string>

#include "core/session/change_proof.h"

namespace tcpscope {

/// What is known by now, or what is waited for.
std::string sentence(const ChangeProof& proof);
/// "before: 10.4 Mbit/s (95 %: 10.2 to 10.6), median 10.4, SD 0.2, n = 12"; empty until it is compared.
std::string figures(const ChangeProof& proof);

}  // namespace tcpscope
