#include "core/model/owner.h"

namespace tcpscope {

namespace {

/// Short texts are in the object itself.
std::size_t bytesOutside(const UntrustedText& text) {
  static const std::size_t kInside = std::string().capacity();
  const std::size_t capacity = text.rawBytes().capacity();
  return capacity > kInside ? capacity + 1 : 0;
}

std::size_t bytesOutside(const std::optional<UntrustedText>& text) {
  return text ? bytesOutside(*text) : 0;
}

}  // namespace

bool cutTexts(Owner& owner) {
  bool wasLonger = owner.processName.cut(kMostOwnerTextBytes);
  for (auto* const text : {&owner.userName, &owner.unitOrContainer}) {
    if (*text && (*text)->cut(kMostOwnerTextBytes)) wasLonger = true;
  }
  return wasLonger;
}

std::size_t bytesOf(const Owner& owner) {
  return sizeof owner + bytesOutside(owner.processName) + bytesOutside(owner.userName) +
         bytesOutside(owner.unitOrContainer);
}

}  // namespace tcpscope
