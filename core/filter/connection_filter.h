// The connection filter: the expression grammar of `ss` (state, sport, dport, src, dst, and, or, not, parentheses)
// and tcpscope's own fields (`rtt > 50ms`, `limit = receiver`, `process ~ postgres`, any metric key).
//
// Parsing gives a tree; the evaluator runs over a row of the session. Collectors compile what the kernel can do.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/limits/limit.h"
#include "core/model/endpoint.h"
#include "core/model/metric_catalogue.h"
#include "core/model/owner.h"
#include "core/model/tcp_state.h"

namespace tcpscope {

enum class Comparison : std::uint8_t { equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, matches };

struct FilterNode;
using FilterPointer = std::shared_ptr<const FilterNode>;

struct FilterAnd {
  std::vector<FilterPointer> parts;
};
struct FilterOr {
  std::vector<FilterPointer> parts;
};
struct FilterNot {
  FilterPointer part;
};
/// `state established`, `state connected`, `exclude …`: bit n set for kernel state n.
struct FilterStates {
  std::uint32_t mask = 0;
};
enum class Peer : std::uint8_t { source, destination };
/// `dport = :443`, `sport >= :1024`.
struct FilterPort {
  Peer peer = Peer::source;
  Comparison comparison = Comparison::equal;
  std::uint16_t port = 0;
};
/// `dst 10/8`, `src 192.0.2.1:443`, `dst [2001:db8::]/32`. The port is absent where none was given.
struct FilterHost {
  Peer peer = Peer::source;
  bool negated = false;
  IpAddress network;
  unsigned prefixBits = 0;
  bool anyAddress = false;
  std::optional<std::uint16_t> port;
};
/// `rtt > 50ms`: value in the metric's base unit.
struct FilterMetric {
  Metric metric = Metric::count;
  Comparison comparison = Comparison::equal;
  double value = 0.0;
};
/// `limit = receiver`.
struct FilterLimit {
  Comparison comparison = Comparison::equal;
  Limit limit = Limit::unknown;
};
/// `process ~ postgres`, `user = www-data`, `unit ~ nginx`, `cc = cubic`, `place ~ lab`.
enum class TextField : std::uint8_t { process, user, unit, congestionControl };
struct FilterText {
  TextField field = TextField::process;
  Comparison comparison = Comparison::equal;
  std::string text;
};
struct FilterNumber {
  enum class Field : std::uint8_t { pid, uid } field;
  Comparison comparison;
  std::uint64_t value;
};

struct FilterNode {
  std::variant<FilterAnd, FilterOr, FilterNot, FilterStates, FilterPort, FilterHost, FilterMetric, FilterLimit,
               FilterText, FilterNumber>
      node;
};

/// Where in the text parsing stopped, in bytes, and what would have been right there.
struct FilterError {
  enum class Kind : std::uint8_t {
    unexpectedEnd,
    unexpectedWord,
    unknownField,
    badAddress,
    badPort,
    badValue,
    badComparison,
    tooDeep,
    tooLong,
    badUnit,
  };
  Kind kind = Kind::unexpectedWord;
  std::size_t position = 0;
  std::string expected;
};

/// The connection that a filter is evaluated for. One of a capture has no socket: it satisfies no condition on a figure
/// that only a kernel reports, and none on its owner.
struct FilterSubject {
  FilterSubject(const SocketObservation& sampled, const Owner* itsOwner = nullptr,
                const IntervalMetrics* itsInterval = nullptr, Limit itsLimit = Limit::unknown)
      : local(sampled.local),
        remote(sampled.remote),
        state(sampled.state),
        socket(&sampled),
        owner(itsOwner),
        interval(itsInterval),
        limit(itsLimit) {}
  FilterSubject(const Endpoint& itsLocal, const Endpoint& itsRemote, TcpState itsState,
                const IntervalMetrics* itsInterval, Limit itsLimit)
      : local(itsLocal), remote(itsRemote), state(itsState), interval(itsInterval), limit(itsLimit) {}

  const Endpoint& local;
  const Endpoint& remote;
  TcpState state;
  const SocketObservation* socket = nullptr;
  const Owner* owner = nullptr;
  const IntervalMetrics* interval = nullptr;
  Limit limit = Limit::unknown;
};

class ConnectionFilter {
public:
  /// Matches everything.
  ConnectionFilter() = default;
  /// An empty or blank text matches everything. At most 4 KiB of text and 64 levels.
  static Expected<ConnectionFilter, FilterError> parse(std::string_view text);

  [[nodiscard]] bool matches(const FilterSubject& subject) const;
  /// Null for the filter that matches everything.
  [[nodiscard]] const FilterPointer& root() const { return m_root; }
  /// The states the filter can match: what the kernel needs to send.
  [[nodiscard]] std::uint32_t stateMask() const;

private:
  FilterPointer m_root;
};

/// "What happened, where, what to do", one line (core/present/text/error_text.cpp).
std::string sentence(const FilterError& error, std::string_view text);

}  // namespace tcpscope
