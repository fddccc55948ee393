// The current state of a stream: the hello, the facts, the last record of each socket with its owner. A recording
// restates it now and then, for readers that begin in the middle.
//
// Takes frames as bytes, as this process wrote them, and keeps records packed as they are: about half a kilobyte a
// socket.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "collectors/trace/trace_frame.h"

namespace tcpscope {

class StreamState {
public:
  /// Whole frames.
  void accept(std::span<const std::byte> frames);

  /// The hello and the facts, as frames of their own.
  void appendOpening(std::vector<std::byte>& out) const;
  /// The sockets and their owners, as restated frames.
  void appendSockets(std::vector<std::byte>& out) const;
  [[nodiscard]] bool knowsHello() const { return !m_hello.empty(); }

private:
  struct Known {
    std::vector<std::byte> record;
    /// As they lie in frames.
    std::vector<std::byte> owner;
    std::vector<std::byte> locks;
  };

  void takeSockets(std::span<const std::byte> payload);
  void takeClosed(std::span<const std::byte> payload);
  void takeOwners(std::span<const std::byte> payload);

  /// The payload.
  std::vector<std::byte> m_hello;
  /// The payload of the latest frame of facts, which holds all of them.
  std::vector<std::byte> m_facts;
  std::unordered_map<std::uint64_t, Known> m_sockets;
};

}  // namespace tcpscope
