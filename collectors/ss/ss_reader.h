// The output of a host that samples itself with `ss` (app/remote/ss_command), as the values that an agent's frames
// would carry: a hello, then the batches of one sample after another.
//
//     tcpscope-ss 1
//     host db1
//     …                                 what names the place, and its clocks
//     look 5021.37                      seconds since it started (/proc/uptime)
//     ESTAB 0 0 192.0.2.1:443 …         as ss prints it, in one line or two
//     end 0 5021.39                     how ss ended
//
// The input is untrusted: lines and sockets are bounded, any other line is a gap, and no text makes this fail. A socket
// is gone when two whole samples did not show it: one may have missed it.
#pragma once

#include <deque>
#include <string>
#include <unordered_set>

#include "collectors/sock_diag/batch_assembler.h"
#include "collectors/ss/ss_socket.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

class SsReader {
public:
  explicit SsReader(PlaceId place);

  /// Moments, but for that of the hello, are of the clock of `heardAt`, and none is later than when it was heard.
  void feed(std::span<const std::byte> bytes, Moment heardAt);
  /// Nothing where more bytes are needed.
  std::optional<TraceValue> next();
  /// How many samples have ended: the next may be requested when all requested ones have.
  [[nodiscard]] std::uint64_t pollsEnded() const { return m_pollsEnded; }

private:
  void takeLine(std::string_view line);
  void takeGreeting(std::string_view line);
  void greet(std::string_view clocks);
  void takeSocketLine(std::string_view line);
  void finishSocket();
  void beginPoll(std::string_view uptime);
  void endPoll(std::string_view outcome);
  void closeMissing();
  void flush(std::optional<Moment> dumpEndedAt);
  [[nodiscard]] std::optional<Moment> momentOf(std::string_view uptime);

  PlaceId m_place;
  Moment m_heardAt;
  /// From the host's clock to the one here, as of what took the shortest time so far: a hello heard late would put
  /// samples heard sooner into the future, and so would a host that slept, whose uptime goes on meanwhile.
  Nanoseconds m_offset{0};
  std::string m_line;
  bool m_skipsLine = false;
  std::size_t m_ungreetedBytes = 0;
  bool m_isCalled = false;
  bool m_isGreeted = false;
  TraceHello m_hello;
  std::string m_ssVersion;
  SsDialect m_dialect;
  SocketTable m_table;
  BatchAssembler m_batch;
  GapCounts m_gaps;
  /// Cookies that the previous sample did not show.
  std::unordered_set<std::uint64_t> m_missed;
  std::optional<Moment> m_lookAt;
  std::string m_socketText;
  std::uint64_t m_pollsEnded = 0;
  std::deque<TraceValue> m_values;
};

}  // namespace tcpscope
