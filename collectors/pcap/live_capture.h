// The packets of this machine as they pass an interface: headers only, by libpcap, with what was dropped on the way.
//
// Needs the right to open packet sockets (CAP_NET_RAW in the network namespace). Nothing is sent, and the interface is
// not made promiscuous. The kernel keeps unread packets in a ring of limited size and counts those that do not fit.
#pragma once

#include <memory>
#include <string>

#include "collectors/pcap/captured_frame.h"
#include "core/base/expected.h"
#include "core/base/units.h"
#include "core/model/live_capture_error.h"

namespace tcpscope {

struct LiveCaptureSettings {
  /// "any" is all of them.
  std::string interface = "any";
  /// In the words of pcap-filter(7), handed to libpcap as they are; empty takes every packet.
  std::string filter;
  /// Headers with every option.
  Bytes snapLength{160};
  Bytes ring{std::uint64_t{16} << 20U};
};

/// Since the capture began, as pcap_stats(3PCAP) has them.
struct LiveCaptureCounts {
  /// That passed the filter.
  Count received;
  /// For which the ring had no room.
  Count droppedByRing;
  /// That the interface or its driver lost, before any filter.
  Count droppedByInterface;
};

class LiveCapture {
public:
  static Expected<std::unique_ptr<LiveCapture>, LiveCaptureError> open(const LiveCaptureSettings& settings);
  /// What libpcap says against the filter alone, which needs no right; nothing where it is one.
  static std::optional<LiveCaptureError> faultOf(const std::string& filter);
  LiveCapture(const LiveCapture&) = delete;
  LiveCapture& operator=(const LiveCapture&) = delete;
  ~LiveCapture();

  [[nodiscard]] LinkType linkType() const { return m_frame.linkType; }
  /// Readable when packets wait; they may be as late as a tenth of a second.
  [[nodiscard]] int wakeDescriptor() const;
  /// Null where none waits, valid until the next call; fails where the interface goes away.
  Expected<const CapturedFrame*, LiveCaptureError> next();
  /// Nothing where libpcap does not say.
  [[nodiscard]] std::optional<LiveCaptureCounts> counts() const;

private:
  struct Handle;
  explicit LiveCapture(std::unique_ptr<Handle> handle);

  std::unique_ptr<Handle> m_handle;
  CapturedFrame m_frame;
};

}  // namespace tcpscope
