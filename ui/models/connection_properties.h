// What there is to say about a connection as a whole, in sections of name and value: ends, owner, what was negotiated,
// buffers, and a sentence for each thing that is missing.
#pragma once

#include <QString>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

struct ConnectionProperty {
  QString name;
  QString value;
  /// What it means; for hovering.
  QString hint;

  bool operator==(const ConnectionProperty&) const = default;
};

struct PropertySection {
  QString title;
  std::vector<ConnectionProperty> properties;

  bool operator==(const PropertySection&) const = default;
};

std::vector<PropertySection> connectionProperties(const ConnectionDetail& detail, const SessionSnapshot& snapshot);

/// One sentence for each option that was not negotiated and each figure that the kernel does not report.
std::vector<QString> missingThings(const ConnectionDetail& detail);

}  // namespace tcpscope
