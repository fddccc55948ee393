// The door to the kernel's diagnosis socket, as an interface: the real one is NetlinkSocket, tests put their own
// messages behind it.
//
// Nothing here blocks: receive() says `nothingWaiting` and the caller decides how long to wait on the descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

/// The answer has arrived when send() returns; a longer silence means that it was lost.
inline constexpr Milliseconds kNetlinkAnswerTimeout{1000};

struct NetlinkError {
  enum class Kind : std::uint8_t {
    /// Messages were lost because the socket's buffer was full (ENOBUFS); the socket goes on working.
    overflow,
    /// A message was longer than the buffer; its rest is lost.
    truncated,
    nothingWaiting,
    /// The requested namespace does not exist.
    noSuchNamespace,
    notPermitted,
    /// This kernel has no such protocol or group.
    notSupported,
    failed,
  };
  enum class Attempt : std::uint8_t { open, bind, joinGroup, send, receive, enterNamespace };
  Kind kind = Kind::failed;
  Attempt attempt = Attempt::open;
  /// errno of the call, 0 where there was none.
  int number = 0;

  bool operator==(const NetlinkError&) const = default;
};

/// The kind that fits an errno of the kernel.
NetlinkError netlinkError(NetlinkError::Attempt attempt, int number);

class NetlinkChannel {
public:
  NetlinkChannel() = default;
  NetlinkChannel(const NetlinkChannel&) = delete;
  NetlinkChannel& operator=(const NetlinkChannel&) = delete;
  virtual ~NetlinkChannel() = default;

  virtual Expected<void, NetlinkError> send(std::span<const std::byte> message) = 0;
  /// One datagram into `buffer`: how many bytes it has.
  virtual Expected<std::size_t, NetlinkError> receive(std::span<std::byte> buffer) = 0;
  /// False when nothing came in time.
  virtual bool waitReadable(Milliseconds timeout) = 0;
  /// For poll(); -1 when there is none.
  [[nodiscard]] virtual int descriptor() const = 0;
  /// The port that answers to us carry.
  [[nodiscard]] virtual std::uint32_t portId() const = 0;
};

using NetlinkChannelPointer = std::unique_ptr<NetlinkChannel>;

/// What a poller needs of the outside: channels and the clock of the place.
struct SockDiagAccess {
  std::function<Expected<NetlinkChannelPointer, NetlinkError>()> openRequests;
  /// Bound and a member of the groups that announce destroyed TCP sockets.
  std::function<Expected<NetlinkChannelPointer, NetlinkError>()> openDestroyEvents;
  std::function<Moment()> now;
};

/// The kernel's dump fills at most this many bytes; a larger buffer brings nothing.
inline constexpr std::size_t kReceiveBufferBytes = 32768;

}  // namespace tcpscope
