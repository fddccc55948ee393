// Which data this host dropped, so that a retransmission of it has its cause: the packets that the kernel reports as
// dropped are kept until their data is retransmitted.
//
// Reads no clock: the moments are the kernel's own.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/base/moment.h"
#include "core/model/endpoint.h"
#include "core/model/loss_report.h"
#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

/// A segment, or an aggregate of segments, that was dropped or retransmitted.
struct SegmentSeen {
  /// IPv4 addresses are not mapped into IPv6 ones: headers have them so.
  Endpoint source;
  Endpoint destination;
  Moment at;
  std::uint32_t sequence = 0;
  /// Sequence numbers, those of SYN and FIN included.
  std::uint32_t sequenceLength = 0;
  std::optional<std::uint32_t> networkNamespace{};
};

class LocalDrops {
public:
  /// Drops before `completeSince` were not reported.
  explicit LocalDrops(Moment completeSince) : m_completeSince(completeSince) {}

  void add(const SegmentSeen& dropped, const DropReason& reason);
  /// Drops before this moment may be missing: some were lost on the way from the kernel.
  void missUntil(Moment moment);

  struct Explanation {
    DropMatch match;
    /// Of the last drop of this data; absent where none is known.
    std::optional<DropReason> reason{};
  };
  /// Which of its data was dropped before, up to `begun`: what was dropped since then is the retransmission itself.
  /// What explains it is forgotten, so that the next retransmission of the data needs a drop of its own.
  Explanation explain(const SegmentSeen& retransmitted, Moment begun);

private:
  struct Drop {
    std::uint32_t sequence = 0;
    std::uint32_t sequenceLength = 0;
    Moment at;
    std::optional<std::uint32_t> networkNamespace;
    DropReason reason;
  };
  using OneDirection = std::pair<Endpoint, Endpoint>;

  void makeRoom(Moment now);

  std::map<OneDirection, std::vector<Drop>> m_drops;
  std::size_t m_count = 0;
  Moment m_completeSince;
};

}  // namespace tcpscope
