// The JSON document `tcpscope.connections` (list, diagnose, advise) and the lines of `tcpscope.sample`.
#pragma once

#include <string>
#include <vector>

#include "core/advice/advice.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct ConnectionsDocument {
  WallTime time;
  std::vector<Place> places;
  std::vector<CollectionGap> gaps;
  std::vector<ListenerRow> listeners;
  std::vector<std::shared_ptr<const ConnectionDetail>> connections;
  /// One per connection, in the same order; empty where advice was not requested.
  std::vector<ConnectionAdvice> advice{};
};

/// One document with a final newline. Text from processes is escaped and stripped of control characters.
std::string toJson(const ConnectionsDocument& document);

/// The same document in pieces, for so many connections that they are not to be held as text all at once: begin(), each
/// connection, end().
class ConnectionsDocumentPieces {
public:
  /// Everything but `head.connections`.
  std::string begin(const ConnectionsDocument& head);
  std::string connection(const ConnectionDetail& detail, const ConnectionAdvice* advice = nullptr);
  static std::string end() { return "]}\n"; }

private:
  bool m_isFirst = true;
};

enum class SampleEvent : std::uint8_t { sample, opened, closed, gap, change };
/// One line of `--json-stream`, with its newline: of a connection, of what was missed of a place, and of a setting of
/// a place or a connection that changed.
std::string toJsonLine(const ConnectionDetail& detail, SampleEvent event, WallTime time);
std::string toJsonLine(const CollectionGap& gap, WallTime time);
std::string toJsonLine(const ChangeMark& mark, PlaceId place, WallTime time);

/// The JSON Schemas, as installed and tested.
std::string_view connectionsSchema();
std::string_view sampleSchema();

}  // namespace tcpscope
