#include "core/changes/change_record.h"

namespace tcpscope {

std::string_view name(ChangeState state) {
  switch (state) {
    case ChangeState::preparing:
      return "preparing";
    case ChangeState::applied:
      return "applied";
    case ChangeState::confirmed:
      return "confirmed";
    case ChangeState::reverted:
      return "reverted";
  }
  return "unknown";
}

bool isOpen(const ChangeRecord& record) {
  return record.state != ChangeState::reverted;
}

bool isOverdue(const ChangeRecord& record, Nanoseconds bootTime, std::string_view bootId) {
  if (record.state != ChangeState::applied || !record.deadline) return false;
  return record.bootId != bootId || bootTime >= *record.deadline;
}

}  // namespace tcpscope
