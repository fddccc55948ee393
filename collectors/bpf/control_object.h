// The congestion controls for the kernel as clang compiled them (congestion_control.bpf.c): an ELF file in memory. The
// source file is generated.
#pragma once

#include <span>

namespace tcpscope {

std::span<const unsigned char> controlObject();

}  // namespace tcpscope
