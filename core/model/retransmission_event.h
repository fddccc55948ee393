// One retransmission, reported by the kernel at the moment at which it happened.
#pragma once

#include "core/base/moment.h"
#include "core/model/endpoint.h"

namespace tcpscope {

struct RetransmissionEvent {
  Endpoint local;
  Endpoint remote;
  Moment at;

  bool operator==(const RetransmissionEvent&) const = default;
};

}  // namespace tcpscope
