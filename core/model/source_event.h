// One event of one connection, reported by a source at the moment at which it happened.
//
// Session, recorder, agent and trace handle what is typed here, the same for every source. What only the source
// understands is `payload`: it travels unchanged and is decoded in the source's own folder.
#pragma once

#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/model/endpoint.h"
#include "core/model/history_event.h"

namespace tcpscope {

struct SourceEvent {
  /// The source's name in the catalogue of sources (collectors/catalogue).
  std::string source;
  /// Of a dropped packet `local` is the source and `remote` the destination, whichever of them is here.
  Endpoint local;
  Endpoint remote;
  Moment at;
  HistoryEventKind kind = HistoryEventKind::stateChanged;
  /// How many, where it is countable.
  std::uint64_t count = 1;
  std::vector<std::byte> payload;

  bool operator==(const SourceEvent&) const = default;
};

}  // namespace tcpscope
