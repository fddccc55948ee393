// The emulator's end of one host's device: whole IP packets, without a link header, one at a time.
//
// Neither call waits. A port knows no time; it is polled by its descriptor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "app/lab/path/path_loop.h"
#include "core/base/expected.h"
#include "core/base/units.h"

namespace tcpscope::lab {

class PacketPort {
public:
  PacketPort() = default;
  PacketPort(const PacketPort&) = delete;
  PacketPort& operator=(const PacketPort&) = delete;
  virtual ~PacketPort() = default;

  /// Readable when the host has sent something.
  [[nodiscard]] virtual int descriptor() const = 0;
  /// The next packet that the host has sent, valid until the next call; empty when there is none.
  virtual std::span<const std::uint8_t> receive() = 0;
  /// To the host; false when its device did not take it.
  virtual bool send(std::span<const std::uint8_t> packet) = 0;
  /// Packets of the host that were dropped before this port could receive them, since the port was made; absent where
  /// the system does not report it.
  virtual std::optional<Count> missed() = 0;
};

/// The port for `description`; errno where its device does not serve.
Expected<std::unique_ptr<PacketPort>, int> makePacketPort(const PathPort& description);

}  // namespace tcpscope::lab
