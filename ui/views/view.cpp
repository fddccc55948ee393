#include "ui/views/view.h"

#include "ui/feed/selection.h"

namespace tcpscope {

std::shared_ptr<const ConnectionDetail> selectedDetail(const SessionSnapshot* snapshot, const Selection& selection) {
  if (snapshot == nullptr || !selection.connection()) return nullptr;
  const auto found = snapshot->details.find(*selection.connection());
  return found == snapshot->details.end() ? nullptr : found->second;
}

}  // namespace tcpscope
