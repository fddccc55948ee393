// The program for the kernel as clang compiled it (loss.bpf.c): an ELF file in memory. The source file is generated.
#pragma once

#include <span>

namespace tcpscope {

std::span<const unsigned char> lossObject();

}  // namespace tcpscope
