#include "core/model/change_mark.h"

#include "core/model/owner.h"

namespace tcpscope {

bool cutTexts(ChangeMark& mark) {
  bool wasLonger = false;
  for (UntrustedText* const text : {&mark.key, &mark.before, &mark.after}) {
    if (text->cut(kMostOwnerTextBytes)) wasLonger = true;
  }
  return wasLonger;
}

}  // namespace tcpscope
