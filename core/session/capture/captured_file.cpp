#include "core/session/capture/captured_file.h"

#include <algorithm>

namespace tcpscope {

void CapturedFile::add(const CaptureFault& fault) {
  const auto same =
      std::find_if(faults.begin(), faults.end(), [&](const CountedFault& one) { return one.first.kind == fault.kind; });
  if (same == faults.end()) {
    faults.push_back({fault, 1, fault.packets});
    return;
  }
  ++same->count;
  same->packets += fault.packets;
}

}  // namespace tcpscope
