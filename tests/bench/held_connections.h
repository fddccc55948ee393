// Thousands of real loopback connections, held by child processes because one process may open only so many files.
//
// Both ends of a connection count as a socket. Each child listens on an address of its own in 127/8. The children end
// with this object, or with this process, and reset their connections, so that nothing lingers.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace tcpscope::bench {

class HeldConnections {
public:
  /// Opens `sockets / 2` connections and returns when all are established. Ends the program, with a reason on standard
  /// error, where that is not possible. Call it before threads are started: it forks.
  explicit HeldConnections(std::size_t sockets);
  ~HeldConnections();
  HeldConnections(const HeldConnections&) = delete;
  HeldConnections& operator=(const HeldConnections&) = delete;

  /// One byte over `percent` of the connections, spread evenly, others each time; then waits until delayed
  /// acknowledgments have settled.
  void change(unsigned percent);
  [[nodiscard]] std::size_t sockets() const { return m_sockets; }

private:
  struct Child {
    pid_t pid = -1;
    int channel = -1;
  };
  void startChild(std::size_t number, std::size_t pairs);

  std::vector<Child> m_children;
  std::size_t m_sockets = 0;
  unsigned m_nextOffset = 0;
};

}  // namespace tcpscope::bench
