// How long connections took to open, by destination: the address and port that they were opened to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/model/endpoint.h"
#include "core/session/capture/connection_analysis.h"
#include "core/wire/flow/rtt_distribution.h"

namespace tcpscope {

struct DestinationOpenings {
  Endpoint remote;
  /// Handshakes that the capture holds from the first SYN on.
  std::uint64_t opened = 0;
  /// Those of them with a retransmitted SYN or SYN-ACK.
  std::uint64_t repeated = 0;
  /// Attempts that were refused, and those that nothing answered.
  std::uint64_t refused = 0;
  std::uint64_t unanswered = 0;
  /// Attempts that ended without a connection, where the reason is not known.
  std::uint64_t failed = 0;
  /// From the first SYN to the end of the handshake.
  std::optional<RttSummary> connect;
  /// From the first SYN to the first data of the destination: with the time of the request, and of what else comes
  /// before it.
  std::optional<RttSummary> firstByte;
};

/// What one connection adds to them.
struct ConnectionOpening {
  Endpoint remote;
  bool isRefused = false;
  bool isUnanswered = false;
  bool hasFailed = false;
  bool repeatsSyn = false;
  std::optional<Nanoseconds> connect;
  std::optional<Nanoseconds> firstByte;
};
ConnectionOpening openingOf(const ConnectionAnalysis& analysis);

class OpeningTally {
public:
  /// Connections to more destinations than these are left out: a capture may hold a million of them.
  static constexpr std::size_t kMostDestinations = 4096;

  /// One whose beginning the capture does not hold counts nowhere.
  void add(const ConnectionOpening& opening);
  /// First those with failed attempts, most of them first; then those that took longest to connect, by the 95 %
  /// quantile.
  [[nodiscard]] std::vector<DestinationOpenings> worstFirst() const;
  /// Connections to destinations beyond the limit.
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }

private:
  struct Openings {
    std::uint64_t repeated = 0;
    std::uint64_t refused = 0;
    std::uint64_t unanswered = 0;
    std::uint64_t failed = 0;
    RttDistribution connect;
    RttDistribution firstByte;
  };

  std::map<Endpoint, Openings> m_destinations;
  std::uint64_t m_leftOut = 0;
};

}  // namespace tcpscope
