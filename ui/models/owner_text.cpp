#include "ui/models/owner_text.h"

#include "ui/text/plain_text.h"

namespace tcpscope {

QString notKnown() {
  return QStringLiteral("–");
}

QString processText(const Owner* owner) {
  if (owner == nullptr || owner->processName.empty()) return notKnown();
  return QStringLiteral("%1 (%2)").arg(plainText(owner->processName)).arg(owner->pid);
}

}  // namespace tcpscope
