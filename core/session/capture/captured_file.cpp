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

void CapturedFile::addUnknown(std::uint16_t linkType) {
  constexpr std::size_t kMostTypes = 8;
  const auto same = std::find_if(unknownLinkTypes.begin(), unknownLinkTypes.end(),
                                 [linkType](const CountedLinkType& one) { return one.linkType == linkType; });
  if (same != unknownLinkTypes.end()) {
    ++same->packets;
  } else if (unknownLinkTypes.size() < kMostTypes) {
    unknownLinkTypes.push_back({linkType, 1});
  }
}

}  // namespace tcpscope
