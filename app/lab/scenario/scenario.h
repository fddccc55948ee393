// One lab scenario: hosts, path, traffic, and the truth about what limits it. Read from a text file
// (scenario_parser.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/path/path_settings.h"
#include "core/session/truth.h"

namespace tcpscope::lab {

struct HostSettings {
  std::string name;
  Bytes mtu{1500};
  /// Below /proc/sys: {"net.ipv4.tcp_rmem", "4096 16384 65536"}.
  std::map<std::string, std::string> sysctls;
  /// Of its routes to the other hosts: `cwnd N lock`, which clamps the congestion window of connections to a peer of
  /// which the kernel has metrics (tcp_no_metrics_save 0 and an earlier connection), and `initcwnd N`.
  std::optional<Segments> congestionWindowClamp;
  std::optional<Segments> initialCongestionWindow;
};

enum class TrafficKind : std::uint8_t {
  /// Writes all the time.
  bulk,
  /// SO_MAX_PACING_RATE.
  paced,
  /// Writes `writeSize`, waits for an answer of `readSize`, rests.
  requestResponse,
  /// Writes `writeSize`, rests `writeRest`.
  pausing,
  /// Connects and never writes.
  silent,
  /// One message of `bytes` a connection, `streams` at a time, until `messages` are through.
  messages,
};

/// The programs at both ends of one group of connections, set per socket.
struct TrafficSettings {
  std::string name;
  std::string from;
  std::string to;
  TrafficKind kind = TrafficKind::bulk;
  bool ipv6 = false;
  std::size_t streams = 1;
  std::string congestionControl = "cubic";
  std::optional<Bytes> sendBuffer;
  std::optional<Bytes> receiveBuffer;
  /// TCP_WINDOW_CLAMP before listen(), which also lowers the window scale, and after the first data, which does not.
  std::optional<Bytes> windowClamp;
  std::optional<Bytes> lateWindowClamp;
  std::optional<Bytes> maximumSegment;
  std::optional<BitsPerSecond> pacingRate;
  /// Written once before everything else, as many protocols open with a few bytes; 0 for none.
  Bytes greeting{0};
  Bytes writeSize{65536};
  /// Of requests: in how many calls each is written, how many may be without an answer, and how long the answering
  /// program works on one; it works on one at a time.
  std::size_t writesPerRequest = 1;
  std::size_t requestsInFlight = 1;
  Nanoseconds answerTime{0};
  /// TCP_NODELAY at both ends.
  bool noDelay = false;
  Nanoseconds writeRest{0};
  /// The receiving program: this much a read, then a rest; absent: all that comes, at once.
  std::optional<Bytes> readSize;
  Nanoseconds readRest{0};
  /// It works on what it reads, on a processor that another program uses nearly all the time.
  bool starvedReader = false;
  /// Ends after this many bytes a stream; absent: at the run's end.
  std::optional<Bytes> bytes;
  std::size_t messages = 0;
  /// Where shares are compared, its streams are one flow: several streams of one user.
  bool countsAsOne = false;
  /// After the run's start.
  Nanoseconds start{0};
};

/// A key as `--set` names it ("path.delay", "host.receiver.net.ipv4.tcp_rmem") and what it is set to.
struct Assignment {
  std::string key;
  std::string value;
  bool operator==(const Assignment&) const = default;
};

/// A named choice of several settings at once, to sweep over: `[variant tuning untuned]`, chosen with
/// `tuning = untuned`.
struct Variant {
  std::string axis;
  std::string value;
  std::vector<Assignment> settings;
};

/// One direction of the grid: a key, or the axis of a variant, and its values.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

struct Scenario {
  std::string name;
  std::string title;
  /// A few sentences for people: what is wrong here, what to look at.
  std::string story;
  PathSettings path;
  std::vector<HostSettings> hosts;
  std::vector<TrafficSettings> traffic;
  Nanoseconds duration{std::chrono::seconds(10)};
  /// Before the truth is judged: slow start and tuning settle.
  Nanoseconds warmUp{std::chrono::seconds(2)};
  std::optional<Truth> truth;
  std::vector<Variant> variants;
  /// Parameter grid; empty for a single run.
  std::vector<SweepAxis> sweep;
  std::size_t repeats = 1;
};

}  // namespace tcpscope::lab
