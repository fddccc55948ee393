#include "core/base/invariant.h"

#include <cstdio>
#include <cstdlib>

namespace tcpscope {

void invariantBroken(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "tcpscope: internal error, please report: %s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace tcpscope
