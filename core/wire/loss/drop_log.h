// A router's own record of the packets that it dropped, as CSV: the time of each drop, the link that dropped it, and
// why. Hostile input: any bytes give a log or an error with its line, in bounded memory.
//
// The first line names the columns; fields may be quoted as in RFC 4180, without line breaks. `time_s` is needed, in
// seconds; with `event` only the events drop, loss, …_drop and …_loss count, with `link` each link is a log of its own.
// Other columns are left alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

inline constexpr std::size_t kDropsAtMost = 4'000'000;
inline constexpr std::size_t kLinksOfDropsAtMost = 64;
inline constexpr std::size_t kLongestDropLine = 4096;

struct DropLogError {
  enum class Kind : std::uint8_t { noTimeColumn, badTime, missingField, longLine, tooManyLinks, tooManyDrops };
  Kind kind = Kind::noTimeColumn;
  /// From 1.
  std::size_t line = 0;
};

struct DropsOfLink {
  /// Empty where the log names none.
  UntrustedText link;
  /// On the log's clock, ascending.
  std::vector<Moment> drops;
  /// How many of each event, in the order of their first, of 32 events at most; empty without a column `event`.
  std::vector<std::pair<UntrustedText, std::uint64_t>> kinds;
};

struct DropLog {
  /// In the order of their first drop; links without any are absent.
  std::vector<DropsOfLink> links;
  /// Rows that are no drops, such as marks.
  std::uint64_t otherEvents = 0;
};

/// Does a file that begins like this hold a drop log?
bool beginsDropLog(std::string_view bytes);

class DropLogReader {
public:
  /// The next bytes of the file, cut anywhere.
  void take(std::string_view bytes);
  /// After the last bytes; the reader is of no use then.
  Expected<DropLog, DropLogError> finish();

private:
  void takeLine(std::string_view line);
  void takeHeader(const std::vector<std::string>& fields);
  void takeRow(const std::vector<std::string>& fields);
  void fail(DropLogError::Kind kind);
  DropsOfLink* linkNamed(std::string_view name);

  std::string m_partialLine;
  std::size_t m_line = 0;
  std::size_t m_drops = 0;
  std::optional<std::size_t> m_timeColumn;
  std::optional<std::size_t> m_eventColumn;
  std::optional<std::size_t> m_linkColumn;
  DropLog m_log;
  std::optional<DropLogError> m_error;
};

}  // namespace tcpscope
