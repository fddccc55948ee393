// A condition that only a programming mistake can break. It stays on in release builds and ends the program, because a
// diagnosis tool that goes on with broken state would report wrong results.
#pragma once

namespace tcpscope {

/// Writes what broke where to standard error and aborts.
[[noreturn]] void invariantBroken(const char* condition, const char* file, int line);

}  // namespace tcpscope

#define TCPSCOPE_INVARIANT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::tcpscope::invariantBroken(#condition, __FILE__, __LINE__))
