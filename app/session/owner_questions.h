// The analysis's questions about the processes behind sockets, gathered from batches and handed to the background
// queue: each socket is asked for once, and again when it moves to another inode (an accepted connection gets its inode
// then).
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/model/socket_observation.h"

namespace tcpscope {

struct OwnerQuestion {
  ConnectionId id;
  std::uint32_t inode = 0;
};

/// Which buffers process `pid` set itself on this socket.
struct LiveOptionsQuestion {
  ConnectionId id;
  std::uint32_t inode = 0;
  std::int32_t pid = 0;
};

/// What the program waits for.
struct WaitsQuestion {
  ConnectionId id;
  std::int32_t pid = 0;
};

struct ProcessQuestions {
  std::vector<OwnerQuestion> owners;
  std::vector<LiveOptionsQuestion> liveOptions;
  std::vector<WaitsQuestion> waits;
  /// No longer asked for.
  std::vector<ConnectionId> closed;

  [[nodiscard]] bool empty() const { return owners.empty() && liveOptions.empty() && waits.empty(); }
};

/// Answers on the background thread; what it does not know is left out. Blocks on /proc.
using ProcessAnswers = std::function<ObservationBatch(const ProcessQuestions&, std::stop_token)>;

class OwnerQuestions {
public:
  void note(const ObservationBatch& batch);
  /// As if all sockets of the place had closed.
  void forget(PlaceId place);
  void ask(const LiveOptionsQuestion& question) { m_waiting.liveOptions.push_back(question); }
  void ask(const WaitsQuestion& question) { m_waiting.waits.push_back(question); }
  [[nodiscard]] bool empty() const { return m_owners.empty() && m_waiting.empty(); }
  /// The inode that this socket was asked with; 0 where it was not.
  [[nodiscard]] std::uint32_t inodeOf(ConnectionId id) const {
    const auto asked = m_asked.find(id);
    return asked == m_asked.end() ? 0 : asked->second;
  }
  /// What waits; from here on it counts as asked.
  ProcessQuestions take();

private:
  std::unordered_map<ConnectionId, std::uint32_t> m_asked;
  /// Inodes to ask with. A socket that closes goes: its owner would be searched for ever, and hosts where many come and
  /// go between two calls would make it a long list.
  std::unordered_map<ConnectionId, std::uint32_t> m_owners;
  /// The other questions.
  ProcessQuestions m_waiting;
};

}  // namespace tcpscope
