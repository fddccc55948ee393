// Asks rtnetlink for this network namespace's interfaces, the queue disciplines that they send through, and
// its routes.
#pragma once

#include <map>

#include "collectors/host/host_access.h"
#include "collectors/host/netlink_question.h"
#include "core/host/host_reading.h"

namespace tcpscope {

struct LinkFacts {
  /// Of the interface that its packets leave by, where it names one of this namespace.
  std::optional<Bytes> lowerMtu;
  bool isUp = false;
  UntrustedText kind;
  std::optional<std::uint32_t> transmitQueueLength;
  Reported<QueueDisciplineReading> queueDiscipline = unreported();
};

/// By the interface's name.
struct LinkTable {
  std::map<UntrustedText, LinkFacts> links;
};

Reported<LinkTable> readLinkTable(const HostAccess& access);

/// A router may have a million.
inline constexpr QuestionLimits kRouteLimits{.messages = 20'000};
Reported<RoutesReading> readRoutes(const HostAccess& access, const QuestionLimits& limits = kRouteLimits);

}  // namespace tcpscope
