#include "core/model/kernel_event.h"

namespace tcpscope {

std::string_view name(KernelEventKind kind) {
  switch (kind) {
    case KernelEventKind::opened:
      return "opened";
    case KernelEventKind::accepted:
      return "accepted";
    case KernelEventKind::openingFailed:
      return "opening_failed";
    case KernelEventKind::closed:
      return "closed";
    case KernelEventKind::retransmitted:
      return "retransmitted";
    case KernelEventKind::dropped:
      return "dropped";
  }
  return "";
}

}  // namespace tcpscope
