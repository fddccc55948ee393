// The current state of a stream: the hello, the facts, the last record of each socket with its owner. A recording
// restates it now and then, for readers that begin in the middle.
//
// Takes frames as bytes, as this process wrote them, and keeps records packed as they are: about half a kilobyte a
// socket. What is beyond the budget is not restated, and counted: the host that is recorded may be another one.
#pragma once

#include <unordered_map>
#include <vector>

#include "collectors/trace/trace_frame.h"

namespace tcpscope {

class StreamState {
public:
  /// Enough for the 500,000 sockets of a session.
  static constexpr std::size_t kMostBytes = 256U << 20U;

  explicit StreamState(std::size_t mostBytes = kMostBytes) : m_mostBytes(mostBytes) {}

  /// Whole frames.
  void accept(std::span<const std::byte> frames);

  /// The hello and the facts, as frames of their own.
  void appendOpening(std::vector<std::byte>& out) const;
  /// The sockets and their owners, as restated frames; behind them, as a gap, how many records of sockets are not
  /// among them.
  void appendSockets(std::vector<std::byte>& out) const;
  [[nodiscard]] bool knowsHello() const { return !m_hello.empty(); }

private:
  struct Known {
    std::vector<std::byte> record;
    /// As they lie in frames.
    std::vector<std::byte> owner;
    std::vector<std::byte> locks;
  };

  using Sockets = std::unordered_map<std::uint64_t, Known>;

  /// Forgets the socket where the budget has no space for it.
  void keep(Sockets::iterator socket, std::vector<std::byte> Known::*part, std::span<const std::byte> bytes);
  void forget(Sockets::iterator socket);
  void takeSockets(std::span<const std::byte> payload);
  void takeClosed(std::span<const std::byte> payload);
  void takeOwners(std::span<const std::byte> payload);

  /// The payload.
  std::vector<std::byte> m_hello;
  /// The payload of the latest frame of facts, which holds all of them.
  std::vector<std::byte> m_facts;
  Sockets m_sockets;
  /// What the sockets take, with their entries.
  std::size_t m_bytes = 0;
  std::size_t m_mostBytes;
  std::uint64_t m_leftOut = 0;
};

}  // namespace tcpscope
