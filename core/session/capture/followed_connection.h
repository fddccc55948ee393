// A connection with all that follows its packets; made from its packets, too, where these alone were kept.
#pragma once

#include <memory>
#include <span>

#include "core/session/capture/connection_followers.h"

namespace tcpscope {

struct FollowedConnection {
  std::unique_ptr<CaptureConnection> connection;
  std::unique_ptr<ConnectionFollowers> followers;

  /// `ends` and `time` of the first packet.
  static FollowedConnection begin(const std::array<Endpoint, 2>& ends, WallTime time) {
    return {std::make_unique<CaptureConnection>(ends[0], ends[1], time), std::make_unique<ConnectionFollowers>()};
  }
  /// From a log of at least one packet.
  static FollowedConnection fromLog(const std::array<Endpoint, 2>& ends, std::span<const std::uint8_t> log);
};

}  // namespace tcpscope
